import { z } from 'zod'
import { meteredEndpoints } from '../../../features/metering/unit-store.ts'
import { Day, Id, Timestamp, Units } from './common.ts'
import { FirstSteps } from '../../../features/metering/first-steps-store.ts'
import { ShownPack } from '../../../features/metering/pack-store.ts'
import { QuotaReading } from '../../../features/metering/usage-report-store.ts'
import { RequestSum } from './requests.ts'
import { Failure } from '../../../features/webhooks/recent-failures.ts'

export { Failure, FirstSteps, ShownPack as Pack }

export const Endpoint = z.enum(meteredEndpoints)

/** Where a daily quota stands, with the keys that draw on it. */
export const Quota = QuotaReading.extend({ limit: Units })

export const DayUsageRow = z.strictObject({
  day: Day,
  endpoint: Endpoint,
  paid_by: z.enum(['plan', 'pack']),
  units: Units,
})

export const UsageRow = DayUsageRow.extend({ key_id: Id })

/** Requests in a span of days, straight from the ledger. Days without any are left out. */
export const Usage = z.strictObject({
  from: Day,
  to: Day,
  today: Day,
  total: Units,
  rows: z.array(UsageRow),
})

/** UTC days, both included, at most 400; of one key, of one endpoint. */
export const UsageFilter = z
  .strictObject({ from: Day, to: Day, key_id: Id, endpoint: Endpoint })
  .exactPartial()

export const Overview = z.strictObject({
  day: Day,
  resets_at: Timestamp,
  quotas: z.array(Quota),
  used_today: Units,
  /** Live packs, in the order in which they are used. */
  packs: z.array(ShownPack),
  /** Whether more can be bought here. */
  sells_packs: z.boolean(),
  /** The last 30 days: `day` and the 29 before it, all keys together. */
  days: z.array(DayUsageRow),
  /** Deliveries of the last 7 days whose last attempt failed, newest first. */
  failures: z.array(Failure).max(10),
  /** Requests of `day` that were refused, by status and code, the most frequent first. */
  refused_today: z.array(RequestSum),
  /** How far a new account has come; null: it is not new any more, or a member put the steps away. */
  first_steps: FirstSteps.nullable(),
})
