import {
  amountColumns,
  type DecimalText,
  type PriceRecord,
  type RejectedRow,
} from '../../features/prices/price-record.ts'
import { cardText, sortRates, type Rate } from '../../features/prices/rate-card.ts'
import { idLengthMax } from '../../platform/cursor.ts'
import { linkProducts, type Identity } from '../linking.ts'
import type { ScheduledPrice, SourceReading } from '../source-record.ts'

type IdentityField = 'resource_id' | 'product_id' | 'vendor' | 'platform' | 'region'

/** A row that may be served, before it is known whether another row names the same resource. */
export interface Candidate {
  /** The row's key in the source. */
  id: string
  identity: Identity
  /** The product that the source itself names; without it one is looked for by the model's name. */
  product?: string | null
  price: Omit<PriceRecord, IdentityField>
  /** What fits no column. */
  rates?: readonly Rate[]
  retires_on?: string | null
  scheduled?: readonly ScheduledPrice[]
  /** Of several rows for one resource the one with the lowest rank is served; among equals the first. */
  rank: number
}

/**
 * One record per resource. A source that lists a resource twice has one price for it, so the second row is named
 * and refused, not served beside the first under an invented id: a client would count the model twice.
 */
export function toReading(
  candidates: readonly Candidate[],
  rejected: readonly RejectedRow[],
  knownProducts: Iterable<string>,
  version: string | null = null,
): SourceReading {
  const served = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const rival = served.get(candidate.identity.resource_id)
    if (!rival || candidate.rank < rival.rank) served.set(candidate.identity.resource_id, candidate)
  }

  const kept = [...served.values()].filter(isStorable)
  const products = linkProducts(
    kept.map(({ identity }) => identity),
    knownProducts,
  )
  return {
    records: kept.map(
      ({ id, identity, product, price, rates = [], retires_on = null, scheduled = [] }, index) => ({
        resource_id: identity.resource_id,
        product_id: product ?? products[index] ?? null,
        vendor: identity.vendor,
        platform: identity.platform,
        region: identity.region,
        ...price,
        source_key: id,
        model_name: identity.name,
        rates: sortRates(rates),
        retires_on,
        scheduled: scheduled.toSorted((a, b) => (a.starts_on < b.starts_on ? -1 : 1)),
      }),
    ),
    rejected: [
      ...rejected,
      ...[...served.values()].filter((candidate) => !isStorable(candidate)).map(({ id }) => notStorable(id)),
      ...candidates.flatMap((candidate) => duplicate(candidate, served)),
    ],
    version,
  }
}

/** Whether the row can be stored, and its id stand in a cursor and a filter: not too long for a page's cursor, all text. */
function isStorable({ identity, product, rates = [] }: Candidate): boolean {
  const kinds = rates.flatMap(({ meter, unit, service_tier, variant }) => [
    meter,
    unit,
    service_tier,
    variant,
  ])
  return (
    identity.resource_id.length <= idLengthMax &&
    [identity.resource_id, identity.vendor, product, ...kinds].every((text) => text == null || isText(text))
  )
}

/** PostgreSQL takes neither NUL nor half a character; other control characters belong in no name. */
function isText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)
}

function notStorable(id: string): RejectedRow {
  return { id, reason: `its id has more than ${idLengthMax} characters, or a name in it is no text` }
}

function duplicate(candidate: Candidate, served: ReadonlyMap<string, Candidate>): RejectedRow[] {
  const winner = served.get(candidate.identity.resource_id)
  if (!winner || winner === candidate) return []
  const verdict = isSamePrice(winner, candidate) ? 'at the same price' : 'which is served, at another price'
  return [{ id: candidate.id, reason: `names the same resource as ${winner.id}, ${verdict}` }]
}

function isSamePrice(
  { price: a, rates: left = [] }: Candidate,
  { price: b, rates: right = [] }: Candidate,
): boolean {
  const isSameCard = cardText(sortRates(left)) === cardText(sortRates(right))
  return isSameCard && amountColumns.every((field) => a[field] === b[field])
}

/** A rate of the standard tier, all day and from the first token, but for what is said. */
export function rateOf(
  meter: string,
  unit: string,
  amount: DecimalText,
  only: Partial<Pick<Rate, 'service_tier' | 'variant' | 'threshold' | 'hours'>> = {},
): Rate {
  return { meter, unit, amount, service_tier: null, variant: null, threshold: null, hours: null, ...only }
}

/** An address a reader can follow, or null: one litellm row has a sentence in its `source`. */
export function webAddress(text: string | null | undefined): string | null {
  if (text == null || !/^https?:\/\//i.test(text) || !isText(text)) return null
  return URL.canParse(text) ? text : null
}

/** zod's complaints about one row in one line. */
export function complaints(error: { issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'row'}: ${message}`)
    .join('; ')
}
