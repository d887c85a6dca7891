import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'
import type { Db } from '../../database/connect.ts'

// What is forgotten of usage: counters of days long past, each with all that the plan paid on that day, so the ledger
// adds up at any moment. What packs paid was bought, and stays as long as the pack. The last day of a key that may still
// be used stays too: when it was last used is never told as "never".

/** Most counters of a step: each is looked up by its keys, so it takes as long as 10,000 rows of a log. */
export const usageStepRows = 2_000

// The expression of the index usage_days_day.
const number = sql`(d.day - date '2000-01-01')`
const before = (days: number) =>
  sql`(select (ratecard_now() at time zone 'utc')::date - ${days}::int - date '2000-01-01')`

const isLastOfKey = (days: number) => sql`exists (
  select from usage_entries e join api_keys k on k.id = e.key_id
  where e.quota_subject = d.quota_subject and e.day = d.day
    and (k.ends_at is null or k.ends_at > (select ratecard_now() - make_interval(days => ${days}::int)))
    and not exists (
      select from usage_entries later
      where later.quota_subject = e.quota_subject and later.key_id = e.key_id and later.day > e.day
    )
)`

/** A step: a bounded number of counters. @returns how many */
export async function deleteOldUsage(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ counters: number }>`
    with old as materialized (
      select d.ctid, d.quota_subject, d.day from usage_days d
      where ${number} < ${before(days)} and not ${isLastOfKey(days)}
      order by ${number} limit ${usageStepRows}::int
      for update of d skip locked
    ), entries as (
      delete from usage_ledger l using old
      where l.quota_subject = old.quota_subject and l.day = old.day and l.pack_id = ''
    ), counters as (
      delete from usage_days where ctid = any (array(select ctid from old)) returning 1
    )
    select count(*)::int as counters from counters`.execute(db)
  return rows[0]?.counters ?? 0
}

/** How old the oldest counter is that is forgotten by its age; null: there is none. */
export async function readOldestUsageSeconds(db: Db, days: number): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ratecard_now() - (oldest.day::timestamp at time zone 'utc'))::float8 as seconds from (
      select d.day from usage_days d where not ${isLastOfKey(days)} order by ${number} limit 1
    ) oldest`.execute(db)
  return rows[0]?.seconds ?? null
}

/** Keys that ended long ago and have used nothing that is still kept. A key whose counter another one uses stays with it. */
export const endedKeys: AgedRows = {
  table: 'api_keys',
  at: 'ends_at',
  goes: sql`not exists (
      select from usage_days d where d.quota_subject = row.quota_subject and d.key_id = row.id
    ) and not exists (
      select from usage_ledger l where l.quota_subject = row.quota_subject and l.key_id = row.id
    ) and not exists (
      select from api_keys other
      where other.account_id = row.account_id and other.quota_subject = row.id and other.id <> row.id
    )`,
  rowsMax: 2_000,
}
