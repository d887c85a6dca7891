import { amountColumns, type PriceRecord } from '../../catalog/price-record.ts'
import { agreeOn } from '../amounts.ts'
import type { Claim } from '../claims/claim.ts'
import type { FeedPolicy } from '../policy.ts'

/** A resource of the present decision, with the claims on it. */
export interface Keyed {
  record: PriceRecord
  claims: readonly Claim[]
}

/** By the id of a row that appeared or went: the row that it was before, or is now. */
export type Rekeyings = ReadonlyMap<string, PriceRecord>

/**
 * Rows that a source has only given another name: it lost one in the very run in which it stated the other, and the two
 * have the same product on the same platform at the same price, or the same key in the source. Neither is news: nothing
 * came and nothing went. The lost one counts from the first run that lacks it, long before its removal is believed.
 */
export function findRekeyings(resources: readonly Keyed[], policy: FeedPolicy): Rekeyings {
  const lost = resources.flatMap(({ record, claims }) =>
    claims.length > 0 && claims.every(({ goneSince }) => goneSince !== null)
      ? claims.map((claim) => ({ record, claim }))
      : [],
  )
  const bySourceAndRun = Map.groupBy(lost, ({ claim }) => runKey(claim.source, claim.goneSince!))
  const rekeyed = new Map<string, PriceRecord>()
  if (lost.length === 0) return rekeyed
  for (const { record, claims } of resources) {
    for (const claim of claims) {
      if (claim.goneSince !== null) continue
      const found = bySourceAndRun
        .get(runKey(claim.source, claim.firstSeen))
        ?.find((other) => !rekeyed.has(other.record.resource_id) && isSame(record, claim, other, policy))
      if (!found) continue
      rekeyed.set(record.resource_id, found.record)
      rekeyed.set(found.record.resource_id, record)
      break
    }
  }
  return rekeyed
}

function runKey(source: string, at: string): string {
  return `${source}\n${at}`
}

function isSame(
  record: PriceRecord,
  claim: Claim,
  other: { record: PriceRecord; claim: Claim },
  policy: FeedPolicy,
): boolean {
  if (!amountColumns.every((column) => agreeOn(claim.stated[column], other.claim.stated[column], policy)))
    return false
  if (claim.stated.source_key === other.claim.stated.source_key) return true
  // Two snapshots are two models, whatever they cost.
  if (parseSnapshot(record) !== null && parseSnapshot(other.record) !== null) return false
  return (
    record.product_id !== null &&
    record.product_id === other.record.product_id &&
    record.platform === other.record.platform &&
    record.region === other.record.region
  )
}

/** The date or number of a snapshot: `20240620` of `claude-3-5-sonnet-20240620`, `0613` of `gpt-4-0613`. */
export function parseSnapshot({ resource_id }: PriceRecord): string | null {
  return /\d{4}-?\d{2}-?\d{2}|[-@]\d{3,4}(?=$|[-@:])/.exec(resource_id)?.[0] ?? null
}
