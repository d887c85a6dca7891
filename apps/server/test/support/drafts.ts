import type { ChangeDraft, MovedRow, RowState } from '../../src/ingest/changes/change-draft.ts'
import { feedPolicy } from '../../src/ingest/policy.ts'
import { noAmounts } from '../../src/ingest/source-record.ts'
import type { WordingContext } from '../../src/ingest/changes/wording/index.ts'
import type { PriceRecord } from '../../src/catalog/price-record.ts'
import type { Rate } from '../../src/catalog/rate-card.ts'
import { priceRecord } from './actors.ts'

/** A price of `acme/alpha-2` on the platform of the id. */
export function price(resource_id: string, fields: Partial<PriceRecord> = {}): PriceRecord {
  return priceRecord({
    resource_id,
    product_id: 'acme/alpha-2',
    platform: resource_id.split(':')[0]!,
    ...noAmounts,
    source_url: null,
    ...fields,
  })
}

export function rate(fields: Partial<Rate> = {}): Rate {
  return {
    meter: 'input_tokens',
    unit: '1m_tokens',
    amount: '1',
    service_tier: null,
    variant: null,
    threshold: null,
    hours: null,
    ...fields,
  }
}

export function state(record: PriceRecord, beside: Partial<Omit<RowState, 'record'>> = {}): RowState {
  return { record, rates: [], retires_on: null, ...beside }
}

/** A row whose record differs in `before` and `after`; null: it is not there. */
export function moved(
  resource_id: string,
  before: Partial<PriceRecord> | null,
  after: Partial<PriceRecord> | null,
  common: Partial<PriceRecord> = {},
): MovedRow {
  return {
    resource_id,
    before: before && state(price(resource_id, { ...common, ...before })),
    after: after && state(price(resource_id, { ...common, ...after })),
  }
}

/** A row whose day of retirement differs. */
export function retiring(resource_id: string, was: string | null, is: string | null): MovedRow {
  const record = price(resource_id)
  return { resource_id, before: state(record, { retires_on: was }), after: state(record, { retires_on: is }) }
}

/** A row whose rate card differs. */
export function recarded(resource_id: string, before: Rate[], after: Rate[]): MovedRow {
  const record = price(resource_id)
  return { resource_id, before: state(record, { rates: before }), after: state(record, { rates: after }) }
}

export function draft(fields: Partial<ChangeDraft>): ChangeDraft {
  return {
    category: 'price_rise',
    product: 'acme/alpha-2',
    rows: [],
    firstSeen: '2026-08-01T06:00:00.000000Z',
    lastSeen: '2026-08-02T06:00:00.000000Z',
    verified: false,
    status: 'in_effect',
    effectiveOn: null,
    evidence: [],
    ...fields,
  }
}

/** What a source says of a row as a whole. */
export function evidence(resource_id: string, source: string): ChangeDraft['evidence'][number] {
  return {
    ...{ resource_id, source, source_key: resource_id, source_url: null },
    ...{ field: null, amount: null, amount_before: null },
    since: '2026-08-01T06:00:00.000000Z',
    last_seen: '2026-08-02T06:00:00.000000Z',
  }
}

/** Of 2 August 2026. */
export function wordingContext(fields: Partial<WordingContext> = {}): WordingContext {
  return { policy: feedPolicy, today: '2026-08-02', prices: [], retirements: new Map(), ...fields }
}

/** The amounts of a price by tokens. */
export const tokens = (input: string, output: string) => ({ input_per_mtok: input, output_per_mtok: output })

/** A price that rises by half. */
export const rise = [moved('acme:alpha-2', tokens('2', '10'), tokens('3', '15'))]

/** The fields of a draft: that rise, to come on a day. */
export const announced = (effectiveOn: string) => ({ rows: rise, status: 'announced', effectiveOn }) as const
