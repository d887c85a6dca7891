import { z } from 'zod'
import {
  amountColumns,
  type DecimalText,
  type PriceRecord,
  type RejectedRow,
} from '../../../catalog/price-record.ts'
import type { ModelFacts } from '../../../catalog/model-facts.ts'
import { cardText, sortRates, type Rate } from '../../../catalog/rate-card.ts'
import { webAddress } from '../../../platform/web-address.ts'
import type { Identity } from '../../match/identify.ts'
import { resourceKey } from '../../match/names.ts'
import { plainId } from '../../match/plain-id.ts'
import type { PastPrice, Quote, ScheduledPrice, SourceReading } from '../../source-record.ts'

type IdentityField = 'resource_id' | 'product_id' | 'vendor' | 'platform' | 'region'

/** A row that may be served, before rows of the same resource are compared. */
export interface Candidate {
  /** The row's key in the source. */
  id: string
  identity: Identity
  /** The product that the source itself names. */
  product?: string | null
  /** With its link as the source states it. */
  price: Omit<PriceRecord, IdentityField>
  /** Rates that fit no column. */
  rates?: readonly Rate[]
  retires_on?: string | null
  scheduled?: readonly ScheduledPrice[]
  checked_on?: string | null
  past?: PastPrice[]
  is_witness?: boolean
  replaced_by?: string | null
  quotes?: readonly Quote[]
  facts?: ModelFacts
  /** Of several rows for one resource the one with the lowest rank is served; among equals the first. Default: 0. */
  rank?: number
}

/** What becomes of a row of a source. */
export type ReadRow = Candidate | RejectedRow

/**
 * One record per resource, as its source states it: what it is a model of is found from all sources (linking.ts). A
 * source has one price for a resource that it lists twice, in another spelling too, so the second row is reported and
 * refused. To serve it under an invented id would make a client count the model twice.
 */
export function toReading(rows: readonly ReadRow[], version: string | null = null): SourceReading {
  const candidates = rows.filter((row): row is Candidate => !('reason' in row))
  const rejected = rows.filter((row) => 'reason' in row)
  const served = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = resourceKey(candidate.identity.resource_id)
    const rival = served.get(key)
    if (!rival || rankCandidate(candidate) < rankCandidate(rival)) served.set(key, candidate)
  }

  const kept = [...served.values()]
  const quotes = [...served].flatMap(([key, { quotes = [] }]) =>
    quotes.length > 0 ? [[key, quotes] as const] : [],
  )
  return {
    records: kept.map(({ id, identity, product, price, rates = [], quotes: _, ...more }) => ({
      resource_id: identity.resource_id,
      product_id: product ?? null,
      vendor: identity.vendor,
      platform: identity.platform,
      region: identity.region,
      ...price,
      source_url: webAddress(price.source_url),
      source_key: id,
      model_name: identity.name,
      is_named: identity.isNamed,
      rates: sortRates(rates),
      retires_on: more.retires_on ?? null,
      scheduled: (more.scheduled ?? []).toSorted((a, b) => (a.starts_on < b.starts_on ? -1 : 1)),
      ...(more.checked_on != null && { checked_on: more.checked_on }),
      ...(more.past !== undefined && more.past.length > 0 && { past: more.past }),
      ...(more.is_witness === true && { is_witness: true as const }),
      ...(more.replaced_by != null && { replaced_by: more.replaced_by }),
      ...(more.facts && Object.keys(more.facts).length > 0 && { facts: more.facts }),
    })),
    rejected: [...rejected, ...candidates.flatMap((candidate) => duplicate(candidate, served))],
    mended: kept.flatMap(withoutLink),
    version,
    data_at: null,
    unknown_fields: [],
    ...(quotes.length > 0 && { quotes: new Map(quotes) }),
  }
}

/** A name with a blank around it, or with letters that nobody sees, does not take the place of the name itself. */
function rankCandidate({ id, rank = 0 }: Candidate): number {
  return plainId(id) === id ? rank : Infinity
}

/** litellm has a sentence among its links. */
function withoutLink({ id, price: { source_url } }: Candidate): RejectedRow[] {
  if (source_url === null || source_url === '' || webAddress(source_url) !== null) return []
  return [
    { id, reason: `is served without its source_url, which is no http or https address: ${source_url}` },
  ]
}

function duplicate(candidate: Candidate, served: ReadonlyMap<string, Candidate>): RejectedRow[] {
  const winner = served.get(resourceKey(candidate.identity.resource_id))
  if (!winner || winner === candidate) return []
  const comparison = isSamePrice(winner, candidate)
    ? 'at the same price'
    : 'which is served, at another price'
  return [{ id: candidate.id, reason: `names the same resource as ${winner.id}, ${comparison}` }]
}

function isSamePrice(
  { price: a, rates: left = [] }: Candidate,
  { price: b, rates: right = [] }: Candidate,
): boolean {
  const isSameCard = cardText(sortRates(left)) === cardText(sortRates(right))
  return isSameCard && amountColumns.every((field) => a[field] === b[field])
}

/** A rate of the standard tier, all day and from the first token, unless the caller says otherwise. */
export function toRate(
  meter: string,
  unit: string,
  amount: DecimalText,
  only: Partial<Pick<Rate, 'service_tier' | 'variant' | 'threshold' | 'hours'>> = {},
): Rate {
  return { meter, unit, amount, service_tier: null, variant: null, threshold: null, hours: null, ...only }
}

/** An object by its keys as the file has them. zod's own records lose the key `__proto__`, and a row with it. */
export const Entries = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'it is no object',
)

/** zod's errors about one row in one line. */
export function complaints(error: { issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join('.') || 'row'}: ${message}`)
    .join('; ')
}
