import { z } from 'zod'
import { Amount, Amounts, eachAmount } from '../../../catalog/amount-forms.ts'
import { Id, OptionalTimestamp, Pagination, Password, ResourceId, Text, Timestamp, Units } from './common.ts'
import { RefusedSource } from '../../../ingest/review/refusals.ts'
import {
  ClaimMove,
  PeerPlatform,
  Peers,
  RateMove,
  ReviewClaim,
  ServedPrice,
} from '../../../ingest/review/review-case.ts'
import { Confirmation } from '../../../ingest/review/status.ts'

export { ReviewOutcome } from '../../../ingest/review/decide-in-thread.ts'
export { ReviewClaim as Claim, ClaimMove, PeerPlatform, Peers, RateMove, RefusedSource, ServedPrice }

export const HoldReason = z.enum([
  'large',
  'factor',
  'to_zero',
  'from_zero',
  'swapped',
  'vanished',
  'bulk',
  'denied',
  'range',
  'incoherent',
  'outlier',
  'copied',
  'flood',
  'half_row',
  'card',
])

/** The moves, as `listHolds` names them. */
export const HoldIds = z.array(Id).min(1).max(50).meta({ uniqueItems: true })

export const Reason = Text.min(1).max(500)

/** A price move that is not served: what is served in its place stays until the move is confirmed, taken back or decided. */
export const Hold = z.strictObject({
  id: Id,
  source: z.string(),
  resource_id: ResourceId,
  /** The product of the record; null: unknown, or the record is not served. */
  product_id: z.string().nullable(),
  reason: HoldReason,
  reason_text: z.string(),
  before: Amounts,
  after: Amounts,
  first_seen: Timestamp,
  state: z.enum(['open', 'accepted', 'rejected', 'confirmed', 'withdrawn']),
  decided_at: OptionalTimestamp,
  /** The address of the operator who decided here; null: the command line did, or no person. */
  decided_by: z.string().nullable(),
  note: z.string().nullable(),
})

export const SourceCount = z.strictObject({ source: z.string(), waiting: Units })

export const HoldList = z.strictObject({
  data: z.array(Hold).max(100),
  /** The sources whose last run was not taken in, by name, whatever source is asked for. */
  refusals: z.array(RefusedSource),
  waiting: Units,
  sources: z.array(SourceCount),
  pagination: Pagination.exactOptional(),
})

export const HoldCase = z.strictObject({
  hold: Hold,
  /** What is served of the record; null: nothing. */
  served: ServedPrice.nullable(),
  /** What every source says of it, the one that counts most first. */
  claims: z.array(ReviewClaim),
  peers: Peers,
  card: z.array(RateMove).max(100),
})

export const AcceptInput = z.strictObject({
  ids: HoldIds,
  as: z.enum(['move', 'correction']),
  note: Reason.exactOptional(),
  password: Password,
})

export const RejectInput = z.strictObject({ ids: HoldIds, reason: Reason, password: Password })

/** What readers of the public pages say is wrong about a price, with what is served of it now. */
export const PriceReport = z.strictObject({
  id: Id,
  resource_id: ResourceId,
  ...eachAmount(Amount),
  currency: z.string().nullable(),
  should_be: z.string(),
  source_url: z.string(),
  /** Of who may be asked. Nobody has confirmed that it is theirs. */
  email: z.string().nullable(),
  times: z.int().min(1),
  first_at: Timestamp,
  last_at: Timestamp,
})

export const FeedSource = z.strictObject({
  source: z.string(),
  outcome: z.enum(['applied', 'held', 'refused', 'unreachable']),
  message: z.string().nullable(),
  observed_at: Timestamp,
  loaded_at: OptionalTimestamp,
  version: z.string().nullable(),
  /** The newest day that the loaded data itself states; null: it states none. */
  data_at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .meta({ format: 'date' })
    .nullable(),
  /** Rows of the loaded data; null: none was loaded. */
  rows: z.int().min(0).nullable(),
  /** Rows of it that could not be taken; null: none was loaded. */
  rejected: z.int().min(0).nullable(),
  waiting: Units,
  /** The address that it was read from; null: a file, or the data of the program. */
  url: z.string().nullable(),
})

export const FeedSources = Confirmation.extend({ sources: z.array(FeedSource) })
