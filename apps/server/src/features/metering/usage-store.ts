import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Caller } from '../entitlements/caller-store.ts'
import { toRateLimit, type RateLimit } from './rate-limit.ts'
import type { MeteredEndpoint } from './unit-store.ts'

/** The same rows the reservations write, read in one statement: what a response said is already in here. */
export interface UsageReading {
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  planUsed: number
  endpoints: Record<MeteredEndpoint, number>
  /** Live packs with something left, in order of use. */
  packs: { id: string; remaining: number; expires_at: string }[]
  rateLimit: RateLimit
}

export async function readUsage(
  db: Db,
  caller: Pick<Caller, 'quotaSubject' | 'accountId' | 'terms'>,
): Promise<UsageReading> {
  const { rows } = await sql<Omit<UsageReading, 'rateLimit'>>`
    with clock as materialized (select ratecard_now() as now),
      utc as (select (now at time zone 'utc')::date as day from clock)
    select utc.day::text as day,
      coalesce((select plan_used from usage_days d where d.quota_subject = ${caller.quotaSubject} and d.day = utc.day), 0) as "planUsed",
      used.endpoints,
      coalesce((
        select json_agg(json_build_object(
          'id', p.id, 'remaining', p.remaining,
          'expires_at', ${utcText('p.expires_at')}
        ) order by p.purchased_at, p.id)
        from packs p, clock
        where p.account_id = ${caller.accountId} and p.remaining > 0 and p.expires_at > clock.now
      ), '[]') as packs
    from utc, lateral (
      select json_build_object(
        'prices', coalesce(sum(units) filter (where endpoint = 'prices'), 0),
        'changes', coalesce(sum(units) filter (where endpoint = 'changes'), 0),
        'webhooks', coalesce(sum(units) filter (where endpoint = 'webhooks'), 0)
      ) as endpoints
      from usage_entries l
      where l.quota_subject = ${caller.quotaSubject} and l.day = utc.day
    ) used`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The usage query returned no row.')
  return { ...row, rateLimit: toRateLimit({ limit: caller.terms.dailyLimit, ...row }) }
}
