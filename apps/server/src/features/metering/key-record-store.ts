import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { notFound } from '../feature-error.ts'

/** A key as its account sees it: never the key itself. */
export interface KeyRecord {
  id: string
  name: string
  prefix: string
  last_four: string
  /** `ending`: it was rotated and works until `revoked_at`. */
  state: 'active' | 'ending' | 'revoked'
  /** Other keys that still work and count on the same daily quota. */
  shares_quota_with: string[]
  /** Units with this key on the present UTC day, paid by the plan or by packs. */
  used_today: number
  /** The same for the present UTC day and the 29 before it. */
  used_30_days: number
  created_at: string
  revoked_at: string | null
  last_used_at: string | null
}

/** Every key of the account that works, oldest first: few, because a plan allows few and an account makes few a day. */
export async function listWorkingKeys(db: Db, accountId: string): Promise<KeyRecord[]> {
  return readKeyRecords(db, accountId, sql`select id from working`, sql`k.created_at, k.id`)
}

/**
 * The account's revoked keys, the one that was revoked last first.
 * @param cursor `revoked_at` and id of the last key of the page before; null: from the first on
 */
export async function listRevokedKeys(
  db: Db,
  accountId: string,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<KeyRecord[]> {
  const after = cursor
    ? sql`and (r.revoked_at, r.id) < (${cursor.updatedAt}::timestamptz, ${cursor.id})`
    : sql``
  const ids = sql`
    select r.id from api_keys r, clock
    where r.account_id = ${accountId} and r.revoked_at <= clock.now ${after}
    order by r.revoked_at desc, r.id desc limit ${limit}::int`
  return readKeyRecords(db, accountId, ids, sql`k.revoked_at desc, k.id desc`)
}

/** @throws FeatureError not_found */
export async function getKeyRecord(db: Db, accountId: string, id: string): Promise<KeyRecord> {
  const [record] = await readKeyRecords(db, accountId, sql`select ${id}::text as id`, sql`k.id`)
  if (!record) throw notFound('key', id)
  return record
}

// What a key has used stands under its quota subject, by which the ledger is ordered. The keys that work are gathered
// first, each kind by the index on `revoked_at`: any number of others may share their quota.
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
        where account_id = ${accountId} and revoked_at is null
        union all
        select id, quota_subject, created_at from api_keys, clock
        where account_id = ${accountId} and revoked_at > clock.now
      ),
      asked as materialized (${ids})
    select k.id, k.name, k.prefix, k.last_four,
      case when k.revoked_at is null then 'active' when k.revoked_at > clock.now then 'ending' else 'revoked' end as state,
      array(
        select o.id from working o
        where o.quota_subject = k.quota_subject and o.id <> k.id
        order by o.created_at, o.id
      ) as shares_quota_with,
      used.*,
      ${utcText('k.created_at')} as created_at, ${utcText('k.revoked_at')} as revoked_at,
      (
        select ${utcText(sql`max(l.last_used_at)`)} from usage_entries l
        where l.quota_subject = k.quota_subject and l.key_id = k.id and l.day = (
          select max(day) from usage_entries where quota_subject = k.quota_subject and key_id = k.id
        )
      ) as last_used_at
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
