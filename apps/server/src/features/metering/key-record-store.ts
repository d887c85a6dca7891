import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { KeyScope } from '../accounts/api-key-store.ts'
import { notFound } from '../feature-error.ts'
import { Id, Name, OptionalTimestamp, Timestamp, Units } from '../../platform/forms.ts'

/** A key as its account sees it: never the key itself. */
export const Key = z.strictObject({
  id: Id,
  name: Name,
  prefix: z.string(),
  last_four: z.string(),
  scope: KeyScope,
  /** `ending`: it was rotated and works until `revoked_at`. `expired`: it is refused since `expires_at`. */
  state: z.enum(['active', 'ending', 'revoked', 'expired']),
  shares_quota_with: z.array(Id),
  used_today: Units,
  /** Requests with this key on the present UTC day and the 29 before it. */
  used_30_days: Units,
  /** Taken today from the key's daily quota by keys that have ended. A key made on the day on which another ended goes on with its quota. */
  used_by_ended_today: Units,
  created_at: Timestamp,
  /** From when on it is refused, because it was revoked or rotated; null: it was not. */
  revoked_at: OptionalTimestamp,
  /** When it expires; null: never. */
  expires_at: OptionalTimestamp,
  /** From when on it is refused, whatever the reason; null: it is not. */
  ends_at: OptionalTimestamp,
  last_used_at: OptionalTimestamp,
})
export type KeyRecord = z.infer<typeof Key>

/** Every key of the account that works, oldest first: few, because a plan allows few and an account makes few a day. */
export async function listWorkingKeys(db: Db, accountId: string): Promise<KeyRecord[]> {
  return readKeyRecords(db, accountId, sql`select id from working`, sql`k.created_at, k.id`)
}

/**
 * The account's keys that are refused, the one that ended last first.
 * @param cursor `ends_at` and id of the last key of the page before; null: from the first on
 */
export async function listEndedKeys(
  db: Db,
  accountId: string,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<KeyRecord[]> {
  const after = cursor ? sql`and (r.ends_at, r.id) < (${cursor.updatedAt}::timestamptz, ${cursor.id})` : sql``
  const ids = sql`
    select r.id from api_keys r, clock
    where r.account_id = ${accountId} and r.ends_at <= clock.now ${after}
    order by r.ends_at desc, r.id desc limit ${limit}::int`
  return readKeyRecords(db, accountId, ids, sql`k.ends_at desc, k.id desc`)
}

/** @throws FeatureError not_found */
export async function getKeyRecord(db: Db, accountId: string, id: string): Promise<KeyRecord> {
  const [record] = await readKeyRecords(db, accountId, sql`select ${id}::text as id`, sql`k.id`)
  if (!record) throw notFound('key', id)
  return record
}

/** What the plan paid today, from a counter, for keys that have ended. */
export function usedByEnded({
  subject,
  now,
}: Record<'subject' | 'now', RawBuilder<unknown>>): RawBuilder<number> {
  return sql<number>`(
    select coalesce(sum(e.units), 0)::int from usage_entries e join api_keys o on o.id = e.key_id
    where e.quota_subject = ${subject} and e.day = (${now} at time zone 'utc')::date and e.pack_id = ''
      and o.ends_at <= ${now}
  )`
}

// What a key has used stands under its quota subject, by which the ledger is ordered. The keys that work are gathered
// first, each kind by the index on `ends_at`: any number of others may share their quota.
async function readKeyRecords(
  db: Db,
  accountId: string,
  ids: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<KeyRecord[]> {
  const { rows } = await sql<KeyRecord>`
    with clock as materialized (select ratecard_now() as now),
      working as materialized (
        select id, quota_subject, created_at from api_keys
        where account_id = ${accountId} and ends_at is null
        union all
        select id, quota_subject, created_at from api_keys, clock
        where account_id = ${accountId} and ends_at > clock.now
      ),
      asked as materialized (${ids})
    select k.id, k.name, k.prefix, k.last_four, k.scope,
      case
        when k.ends_at <= clock.now then case when k.ends_at = k.expires_at then 'expired' else 'revoked' end
        when k.revoked_at is null then 'active'
        else 'ending'
      end as state,
      array(
        select o.id from working o
        where o.quota_subject = k.quota_subject and o.id <> k.id
        order by o.created_at, o.id
      ) as shares_quota_with,
      used.*,
      ${utcText('k.created_at')} as created_at, ${utcText('k.revoked_at')} as revoked_at,
      ${utcText('k.expires_at')} as expires_at, ${utcText('k.ends_at')} as ends_at,
      (
        select ${utcText(sql`max(l.last_used_at)`)} from usage_entries l
        where l.quota_subject = k.quota_subject and l.key_id = k.id and l.day = (
          select max(day) from usage_entries where quota_subject = k.quota_subject and key_id = k.id
        )
      ) as last_used_at,
      ${usedByEnded({ subject: sql`k.quota_subject`, now: sql`clock.now` })} as used_by_ended_today
    from clock, asked join api_keys k on k.id = asked.id, lateral (
      select coalesce(sum(l.units) filter (where l.day = (clock.now at time zone 'utc')::date), 0)::int as used_today,
        coalesce(sum(l.units), 0)::int as used_30_days
      from usage_entries l
      where l.quota_subject = k.quota_subject and l.key_id = k.id
        and l.day > (clock.now at time zone 'utc')::date - 30
        and l.day <= (clock.now at time zone 'utc')::date
    ) used
    where k.account_id = ${accountId}
    order by ${order}`.execute(db)
  return rows
}
