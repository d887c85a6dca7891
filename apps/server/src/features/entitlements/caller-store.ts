import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { runPrepared } from '../../database/prepared.ts'
import { hashApiKey } from '../accounts/api-key.ts'
import type { KeyScope } from '../accounts/api-key-store.ts'
import { listPaidPlans, termsFor, withinScope, type PlanTerms } from './plans.ts'

/** The caller of a request and their rights, as of one instant of the database's clock. */
export interface Caller {
  /** SHA-256 of the key, in hex. */
  keyHash: string
  keyId: string
  accountId: string
  quotaSubject: string
  /** What the key may ask for, of what the plan includes. */
  scope: KeyScope
  /** Of the plan, as far as the key's scope goes. */
  terms: PlanTerms
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  /** Units of the day's plan quota that the key has used. */
  planUsed: number
}

type CallerRow = Omit<Caller, 'keyHash' | 'terms'> & { plansHeld: number }

/** The caller with this key, or undefined when there is no such key or it has ended. One round trip. */
export async function findCaller(db: Db, key: string): Promise<Caller | undefined> {
  const keyHash = hashApiKey(key)
  const statement = sql<CallerRow>`
    with clock as materialized (select ratecard_now() as now)
    select caller.key_id as "keyId", caller.account_id as "accountId", caller.quota_subject as "quotaSubject",
      caller.scope, caller.plans_held as "plansHeld", utc.day::text as day, coalesce(u.plan_used, 0) as "planUsed"
    from clock
    cross join lateral (select (clock.now at time zone 'utc')::date as day) utc
    cross join lateral find_caller(${keyHash}, clock.now) caller
    left join usage_days u on u.quota_subject = caller.quota_subject and u.day = utc.day`
  const { rows } = await runPrepared(db, statement)
  const [row] = rows
  if (!row) return undefined
  const { plansHeld, ...caller } = row
  const terms = withinScope(caller.scope, termsFor(listPaidPlans(plansHeld)))
  return { ...caller, keyHash: keyHash.toString('hex'), terms }
}
