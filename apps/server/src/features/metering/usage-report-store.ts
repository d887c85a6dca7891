import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { usedByEnded } from './key-record-store.ts'
import type { MeteredEndpoint } from './unit-store.ts'
import type { DaySpan } from './usage-span.ts'
import { Id, Name, Units } from '../../platform/forms.ts'

/** Requests of a key to an endpoint on a day. */
export interface UsageReportRow {
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  key_id: string
  key_name: string
  endpoint: MeteredEndpoint
  paid_by: 'plan' | 'pack'
  units: number
}

export interface UsageFilter extends DaySpan {
  keyId?: string | undefined
  endpoint?: MeteredEndpoint | undefined
}

/** The present UTC day by the database's clock, and when it ends. */
export async function readUtcDay(db: Db): Promise<{ day: string; ends_at: string }> {
  const { rows } = await sql<{ day: string; ends_at: string }>`
    select day::text, to_char(day + 1, 'YYYY-MM-DD"T00:00:00.000000Z"') as ends_at
    from (select (ratecard_now() at time zone 'utc')::date as day) utc`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The clock query returned no row.')
  return row
}

/**
 * The counters of an account. Usage is found by them, not by keys: any number of keys may have used each. What is read of
 * a counter is grouped for it alone: a join with the view would read the days of all accounts, because the planner looks
 * into the view by an index only for a counter that it knows.
 */
const selectSubjects = (accountId: string) =>
  sql`(select distinct quota_subject from api_keys where account_id = ${accountId}) as s`

/**
 * What the keys of an account used, from the rows that the reservations write: by day, key, endpoint and payer.
 * @param limit most rows
 */
export async function listUsage(
  db: Db,
  accountId: string,
  { from, to, keyId, endpoint }: UsageFilter,
  limit: number,
): Promise<UsageReportRow[]> {
  const { rows } = await sql<UsageReportRow>`
    select used.day::text as day, used.key_id, k.name as key_name, used.endpoint, used.paid_by, used.units
    from (
      select entry.* from ${selectSubjects(accountId)}
      cross join lateral (
        select l.day, l.key_id, l.endpoint, payer.paid_by, sum(l.units)::int as units
        from usage_entries l
        cross join lateral (select case when l.pack_id = '' then 'plan' else 'pack' end as paid_by) payer
        where l.quota_subject = s.quota_subject and l.day between ${from}::date and ${to}::date
          and (${keyId ?? null}::text is null or l.key_id = ${keyId ?? null})
          and (${endpoint ?? null}::text is null or l.endpoint = ${endpoint ?? null})
        group by l.day, l.key_id, l.endpoint, payer.paid_by
      ) entry
      order by entry.day
      limit ${limit}::int
    ) used
    join api_keys k on k.account_id = ${accountId} and k.id = used.key_id
    order by used.day, k.created_at, used.key_id, used.endpoint, used.paid_by desc`.execute(db)
  return rows
}

/** Requests of all keys of an account to an endpoint on a day. */
export type DayUsageRow = Omit<UsageReportRow, 'key_id' | 'key_name'>

/** What the account used on the UTC days from `from` to `to`, all keys together. */
export async function listUsageByDay(
  db: Db,
  accountId: string,
  { from, to }: DaySpan,
): Promise<DayUsageRow[]> {
  const { rows } = await sql<DayUsageRow>`
    select entry.day::text as day, entry.endpoint, entry.paid_by, sum(entry.units)::int as units
    from ${selectSubjects(accountId)}
    cross join lateral (
      select l.day, l.endpoint, payer.paid_by, sum(l.units) as units
      from usage_entries l
      cross join lateral (select case when l.pack_id = '' then 'plan' else 'pack' end as paid_by) payer
      where l.quota_subject = s.quota_subject and l.day between ${from}::date and ${to}::date
      group by l.day, l.endpoint, payer.paid_by
    ) entry
    group by entry.day, entry.endpoint, entry.paid_by
    order by entry.day, entry.endpoint, entry.paid_by desc`.execute(db)
  return rows
}

/** A daily quota, and the keys that draw on it. */
export const QuotaReading = z.strictObject({
  /** The key, and those it was rotated from that still work. The newest first. */
  key_ids: z.array(Id).min(1),
  name: Name,
  used: Units,
  /** Of that, by keys that have ended. */
  used_by_ended: Units,
})
type QuotaReading = z.infer<typeof QuotaReading>

/** The quotas of the keys that work, oldest first, each with what the plan paid on the present UTC day. */
export async function listQuotas(db: Db, accountId: string): Promise<QuotaReading[]> {
  const { rows } = await sql<QuotaReading>`
    with clock as materialized (select ratecard_now() as now),
      working as materialized (
        select * from api_keys where account_id = ${accountId} and ends_at is null
        union all
        select api_keys.* from api_keys, clock where account_id = ${accountId} and ends_at > clock.now
      )
    select array_agg(k.id order by k.created_at desc, k.id desc) as key_ids,
      (array_agg(k.name order by k.created_at desc, k.id desc))[1] as name,
      coalesce((
        select d.plan_used from usage_days d
        where d.quota_subject = k.quota_subject and d.day = (clock.now at time zone 'utc')::date
      ), 0) as used,
      ${usedByEnded({ subject: sql`k.quota_subject`, now: sql`clock.now` })} as used_by_ended
    from working k, clock
    group by k.quota_subject, clock.now
    order by min(k.created_at), min(k.id)`.execute(db)
  return rows
}
