import { sql, type RawBuilder } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { follows } from '../../database/feed-role.ts'
import { utcText } from '../../database/keyset.ts'
import { insertNotices } from './notice-store.ts'
import { toldChangesMax } from './notice.ts'

// Changes of what people watch: some at once, all others in one mail a day. How far they were told is written down in
// the transaction that writes the notices, so no change is told twice and none is missed.

/** Incidents and metadata are no news of a price. A correction is: who saw the wrong amount must hear of it. */
const isNews = sql`c.category not in ('incident', 'metadata')`
/** The watches that a change is about. */
const watching = sql`
  cross join lateral (values ('product', c.product), ('vendor', c.vendor)) as about (kind, name)
  join watches w on w.kind = about.kind and w.name = about.name and w.created_at <= c.created_at`

/** Tells of new changes whoever wants to know at once, by severity. */
export async function decideAtOnce(trx: Trx, options: { canMail: boolean }): Promise<number> {
  // In the order of commits: what is not seen now has a later instant.
  const span = await takeSpan(trx, 'at_once', sql`(select max(updated_at) from changes)`)
  if (span === null) return 0
  return insertNotices(
    trx,
    sql`
      select distinct w.account_id, w.user_id, 'watched_change' as event, c.id as period,
        jsonb_build_object('changes', jsonb_build_array(c.id), 'total', 1) as facts
      from changes c ${watching}
      join notice_settings s on s.user_id = w.user_id and c.severity >= s.at_once_severity
      where c.updated_at > ${span.from}::timestamptz and c.updated_at <= ${span.to}::timestamptz
        -- Not what was confirmed later: that moves it in the list.
        and c.created_at > ${span.from}::timestamptz and ${isNews}`,
    options,
  )
}

/** The hour in UTC from which on the day before is told: in the morning of Europe, before that of America. */
const digestHour = 6
const digestDaysMax = 7

/** Takes the days up to the end of yesterday, in UTC, that were not told. */
export function takeDay(trx: Trx, name: 'digest' | 'followed'): Promise<{ from: string; to: string } | null> {
  // In a cell, no day that the hub has not brought to its end here: what comes late is told with its day.
  const lastMidnight = sql`date_trunc('day', least(
    ratecard_now() - make_interval(hours => ${digestHour}), (select at from feed_pulse where ${follows})
  ), 'UTC')`
  return takeSpan(trx, name, lastMidnight)
}

/** Tells what was published up to the end of yesterday, and was not told at once. */
export async function decideDigest(trx: Trx, options: { canMail: boolean }): Promise<number> {
  const span = await takeDay(trx, 'digest')
  if (span === null) return 0
  return insertNotices(
    trx,
    sql`
      select account_id, user_id, 'watched_digest' as event, ${span.to.slice(0, 10)}::text as period,
        jsonb_build_object(
          'changes', to_jsonb((array_agg(id order by severity desc, created_at desc, id))[1:${toldChangesMax}::int]),
          'total', count(*), 'day', ((${span.to}::timestamptz - interval '1 second') at time zone 'UTC')::date) as facts
      from (
        select distinct w.account_id, w.user_id, c.id, c.severity, c.created_at
        from changes c ${watching}
        where c.updated_at >= ${span.from}::timestamptz
          and c.created_at >= greatest(${span.from}::timestamptz, ${span.to}::timestamptz - make_interval(days => ${digestDaysMax}))
          and c.created_at < ${span.to}::timestamptz and ${isNews}
          and not exists (
            select from notices n
            where n.user_id = w.user_id and n.account_id = w.account_id
              and n.event = 'watched_change' and n.period = c.id
          )
      ) fresh
      group by account_id, user_id`,
    options,
  )
}

/**
 * Takes the time since the last look, for the caller's transaction alone. The first look begins with now: nobody is told
 * what was there before.
 * @param end of the time, null when there is nothing yet
 * @returns null: nothing is new, or another worker is at it
 */
async function takeSpan(
  trx: Trx,
  name: 'at_once' | 'digest' | 'followed',
  end: RawBuilder<unknown>,
): Promise<{ from: string; to: string } | null> {
  // A digest begins with the day: what was published since its midnight is told with the others of that day.
  await sql`
    insert into notice_progress (name, until) values (${name}, coalesce(${end}, ratecard_now()))
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ from: string; to: string }>`
    select ${utcText('p.until')} as from, ${utcText('e.at')} as to
    from notice_progress p cross join (select ${end} as at) e
    where p.name = ${name} and e.at > p.until
    for update of p skip locked`.execute(trx)
  const [span] = rows
  if (!span) return null
  await sql`update notice_progress set until = ${span.to}::timestamptz where name = ${name}`.execute(trx)
  return span
}
