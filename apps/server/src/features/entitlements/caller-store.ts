import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { runPrepared } from '../../database/prepared.ts'
import { hashApiKey } from '../accounts/api-key.ts'
import { paidPlansOf, termsFor, type Plans, type PlanTerms } from './plans.ts'

/** The caller of a request and their rights, as of one instant of the database's clock. */
export interface Caller {
  /** SHA-256 of the key, in hex. */
  keyHash: string
  keyId: string
  accountId: string
  quotaSubject: string
  terms: PlanTerms
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  /** Units of the day's plan quota that the key has used. */
  planUsed: number
}

interface CallerRow {
  key_id: string
  account_id: string
  quota_subject: string
  plans_held: number
  day: string
  plan_used: number
}

/** The caller with this key, or undefined when there is no such key or it is revoked. One round trip. */
export async function findCaller(db: Db, key: string, plans: Plans): Promise<Caller | undefined> {
  const keyHash = hashApiKey(key)
  const statement = sql<CallerRow>`
    with clock as materialized (select ratecard_now() as now)
    select caller.*, utc.day::text as day, coalesce(u.plan_used, 0) as plan_used
    from clock
    cross join lateral (select (clock.now at time zone 'utc')::date as day) utc
    cross join lateral find_caller(${keyHash}, clock.now) caller
    left join usage_days u on u.quota_subject = caller.quota_subject and u.day = utc.day`
  const { rows } = await runPrepared(db, statement)
  const row = rows[0]
  return (
    row && {
      keyHash: keyHash.toString('hex'),
      keyId: row.key_id,
      accountId: row.account_id,
      quotaSubject: row.quota_subject,
      terms: termsFor(plans, paidPlansOf(row.plans_held)),
      day: row.day,
      planUsed: row.plan_used,
    }
  )
}
