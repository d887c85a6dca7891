import type { AmountColumn, PriceRecord } from '../catalog/price-record.ts'
import type { Rule } from '../catalog/price-rule.ts'
import type { JudgedRate } from '../catalog/product-store.ts'
import type { QuotedDocument } from '../catalog/quoted-document.ts'
import type { Rate } from '../catalog/rate-card.ts'
import type { Evidence } from '../ingest/changes/feed-state.ts'
import type { Amounts, PastPrice } from '../ingest/source-record.ts'

// The snapshot: all that is stored of all prices, as one document. `packages/contract/snapshot.schema.json` says the
// same for programs, and docs/snapshot.md for people. A field that is added raises nothing; one that changes its meaning,
// or goes, raises the version.

export const snapshotFormat = 'ratecard-snapshot'
export const snapshotVersion = 1

export interface SnapshotHeader {
  format: typeof snapshotFormat
  format_version: typeof snapshotVersion
  /** The program that wrote it, with its version. */
  generator: string
  /** The database's clock, RFC 3339 in UTC, as all instants here. */
  generated_at: string
  /** The moment that is shown; null: that of `generated_at`. */
  as_of: string | null
  /** The version of the list of prices: it moves with every write. */
  catalog_version: string
  resource_count: number
  sources: SnapshotSource[]
  /** The fields of a resource that history does not keep. They are null in every resource; none without `as_of`. */
  not_kept: NotKept[]
}

/** What history does not keep. */
export const notKept = [
  'is_confirmed',
  'rule',
  'gone_since',
  'retires_on',
  'rates',
  'announced',
  'evidence',
] as const
type NotKept = (typeof notKept)[number]

/** Where prices come from: the last reading of a source that was taken in. */
export interface SnapshotSource {
  source: string
  /** Where it is published; null: the operator's own data. */
  url: string | null
  /** The SPDX name of the licence of its data; null: its publisher states none, or it is the operator's own data. */
  licence: string | null
  run_id: string
  /** What the source calls its state, else the first digits of its SHA-256. */
  version: string
  /** When it was read. */
  observed_at: string
  /** The newest day that the data itself states; null: it states none. */
  data_at: string | null
}

/** A served price, and all that is stored of it. Amounts are exact decimals as text; unknown is null, never 0. */
export interface SnapshotResource extends PriceRecord {
  /** When a served value moved last; with `as_of`, since when the price was known as it was. */
  updated_at: string
  /** The source whose unit, link and dates are served. */
  source: string
  /**
   * Two or more independent sources state the same input and output, and no more deny them; null: neither is served, or
   * it is not kept.
   */
  is_confirmed: boolean | null
  /** The one rule that chose the price; null: an older release chose it, or it is not kept. */
  rule: Rule | null
  /** Since when no source has it any more; null: one has it. */
  gone_since: string | null
  /** The day on which the model is retired, `YYYY-MM-DD`. */
  retires_on: string | null
  /** The newest day on which a source that states this price compared it with the vendor's; null: none says. */
  checked_on: string | null
  /** The rate card: what fits none of the six amounts, and who states each. */
  rates: readonly JudgedRate[] | null
  /** Prices that begin on a later day, the soonest first. */
  announced: AnnouncedPrice[] | null
  /** Prices of before, as a source dates them that states the served ones, the oldest first. Absent: none is dated. */
  past?: PastPrice[]
  /** The ids and names by which the sources know the resource. */
  aliases: ResourceAlias[]
  /** What each source says, whether or not it is served. */
  claims: SnapshotClaim[]
  /** By amount: the sources that state what is served, and what the others state. */
  evidence: Evidence | null
  /** What the seller's own documents say of it, in their words. Absent: none was read. */
  documents?: SellersDocument[]
}

/** A document of the seller, which `source` read. */
export interface SellersDocument extends QuotedDocument {
  source: string
}

export interface AnnouncedPrice extends Amounts {
  source: string
  /** The first day, UTC. */
  starts_on: string
  learned_at: string
}

export interface ResourceAlias {
  source: string
  /** The row's key in the source. */
  key: string
  /** The resource as this source spells it. */
  resource_id: string
  /** The model's name without platform, region and maker, in lower case. */
  model_name: string
}

export interface SnapshotClaim extends Amounts {
  source: string
  source_key: string
  /** Since when the source has the resource. */
  first_seen: string
  /** Since when the source lacks it; null: it has it. */
  gone_since: string | null
  /** Since when it states each present amount; null: the moves of claims are not kept. */
  since: Partial<Record<AmountColumn, string>> | null
  unit: string | null
  currency: string | null
  source_url: string | null
  effective_at: string | null
  retires_on: string | null
  /** The day on which it compared the price with the vendor's; null: it does not say. */
  checked_on: string | null
  rates: Rate[]
}
