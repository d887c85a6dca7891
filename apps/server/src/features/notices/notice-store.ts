import { sql, type RawBuilder } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { AgedRows } from '../../database/aged-rows.ts'
import { utcText } from '../../database/keyset.ts'
import { kindOf, type Notice } from './notice.ts'

/** Rows of a person in 24 hours: what a hostile account can fill. Most of them share one mail. */
const noticesADayMax = 200
/** The pages say so. */
export const noticeDays = 60

const kinds = sql`(values ${sql.join(Object.entries(kindOf).map(([event, kind]) => sql`(${event}, ${kind})`))})`

/**
 * Writes down what people are to be told, each once, however often it is found and by however many workers.
 * @param found rows of account_id, user_id (null: all owners of the account), event, period, facts
 * @param options.canMail whether there is a mail server; else they are shown in the dashboard alone
 * @returns how many are new
 */
export async function insertNotices(
  trx: Trx,
  found: RawBuilder<unknown>,
  { canMail }: { canMail: boolean },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with found as materialized (${found}), told as (
      select m.user_id, f.account_id, f.event, f.period, f.facts,
        kind.kind = any (coalesce(s.off, '{}')) as is_off,
        row_number() over (partition by m.user_id order by f.event, f.period) as place
      from found f
      join ${kinds} as kind (event, kind) on kind.event = f.event
      join members m on m.account_id = f.account_id
        and (m.user_id = f.user_id or f.user_id is null and m.role = 'owner')
      join auth_users u on u.id = m.user_id and u.email_verified
      left join notice_settings s on s.user_id = m.user_id
      where not exists (
        select from notices n
        where n.user_id = m.user_id and n.account_id = f.account_id and n.event = f.event and n.period = f.period
      )
    )
    insert into notices (user_id, account_id, event, period, facts, outcome, settled_at)
    select user_id, account_id, event, period, facts, state.outcome,
      case when state.outcome <> 'waiting' then ratecard_now() end
    from told cross join lateral (
      select case when is_off then 'off' when ${canMail}::boolean then 'waiting' else 'not_mailed' end as outcome
    ) state
    where place + (
      select count(*) from notices n
      where n.user_id = told.user_id and n.created_at > ratecard_now() - interval '1 day'
    ) <= ${noticesADayMax}
    on conflict do nothing`.execute(trx)
  return Number(numAffectedRows)
}

/** A worker that is lost is replaced after this time at the latest. */
const lease = sql`interval '1 hour'`

/** Takes up what waits to be mailed. @returns the users that a mail is due for */
export async function takeDueUsers(trx: Trx, noticesMax: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with due as (
      select id from notices where outcome = 'waiting' and due_at <= ratecard_now()
      order by due_at limit ${noticesMax} for update skip locked
    ), taken as (
      update notices set due_at = ratecard_now() + ${lease} from due where notices.id = due.id
      returning user_id
    )
    select distinct user_id from taken order by user_id`.execute(trx)
  return rows.map((row) => row.user_id)
}

const columns = sql`n.id, n.event, n.facts, n.account_id, a.name as account_name, ${utcText('n.created_at')} as created_at`

/** What waits for a user, the oldest first: as much as one mail can hold. */
export async function listWaiting(db: Db, userId: string, limit: number): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select ${columns} from notices n join accounts a on a.id = n.account_id and not a.is_stopped
    where n.user_id = ${userId} and n.outcome = 'waiting'
    order by n.created_at, n.id limit ${limit}`.execute(db)
  return rows
}

export interface MailCounts {
  /** Mails of one notice, in the last 24 hours. */
  single: number
  /** Seconds until another mail of several is due; 0: now. */
  collectedSeconds: number
  /** How long the oldest has waited. */
  waitedSeconds: number
}

export async function countMails(db: Db, userId: string): Promise<MailCounts> {
  const { rows } = await sql<MailCounts>`
    select count(*) filter (where outcome = 'mailed' and settled_at > now.now - interval '1 day')::int as single,
      coalesce(greatest(0, ceil(extract(epoch from
        max(settled_at) filter (where outcome = 'collected') + interval '1 day' - min(now.now)))), 0)::int
        as "collectedSeconds",
      coalesce(extract(epoch from min(now.now) - min(created_at) filter (where outcome = 'waiting')), 0)::int
        as "waitedSeconds"
    from notices cross join (select ratecard_now() as now) now
    where user_id = ${userId} and created_at > now.now - interval '10 days'`.execute(db)
  return rows[0] ?? { single: 0, collectedSeconds: 0, waitedSeconds: 0 }
}

/**
 * Ends notices, once. What else waits for the user is due again: another notice has come, or could not be taken up,
 * while this mail was under way.
 */
export async function settleNotices(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  outcome: Exclude<NoticeOutcome, 'waiting'>,
): Promise<void> {
  await sql`
    update notices set outcome = ${outcome}, settled_at = ratecard_now()
    where id = any (${ids}::text[]) and user_id = ${userId} and outcome = 'waiting'`.execute(trx)
  await putOff(trx, userId, 0)
}

/** Lets what waits for a user wait for so long. */
export async function putOff(db: Db, userId: string, seconds: number): Promise<void> {
  await sql`
    update notices set due_at = ratecard_now() + make_interval(secs => ${seconds})
    where user_id = ${userId} and outcome = 'waiting'`.execute(db)
}

export type NoticeOutcome = 'waiting' | 'mailed' | 'collected' | 'refused' | 'off' | 'not_mailed'

/** What a user was told, the latest first. */
export async function listNotices(
  db: Db,
  userId: string,
  limit: number,
): Promise<(Notice & { outcome: NoticeOutcome })[]> {
  const { rows } = await sql<Notice & { outcome: NoticeOutcome }>`
    select ${columns}, n.outcome from notices n join accounts a on a.id = n.account_id
    where n.user_id = ${userId}
    order by n.created_at desc, n.id desc limit ${limit}`.execute(db)
  return rows
}

export const notices: AgedRows = { table: 'notices', at: 'created_at' }
