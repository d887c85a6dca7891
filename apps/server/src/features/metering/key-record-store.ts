import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'

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
  /** Units with this key on the present UTC day, whoever paid. */
  used_today: number
  /** The same for the present UTC day and the 29 before it. */
  used_30_days: number
  created_at: string
  revoked_at: string | null
  last_used_at: string | null
}

/** All keys of the account, oldest first, revoked ones too. */
export async function listKeyRecords(db: Db, accountId: string): Promise<KeyRecord[]> {
  return readKeyRecords(db, accountId, null)
}

/** One key of the account; undefined when it has none with this id. */
export async function findKeyRecord(db: Db, accountId: string, id: string): Promise<KeyRecord | undefined> {
  const [record] = await readKeyRecords(db, accountId, id)
  return record
}

/**
 * The same for whoever is about to change the key: until the transaction ends nobody else changes a key of the account,
 * so what is recorded of the change is what was.
 */
export async function lockKeyRecord(trx: Trx, accountId: string, id: string): Promise<KeyRecord | undefined> {
  await lockAccount(trx, accountId)
  return findKeyRecord(trx, accountId, id)
}

// What a key has used stands under its quota subject, by which the ledger is ordered.
async function readKeyRecords(db: Db, accountId: string, id: string | null): Promise<KeyRecord[]> {
  const { rows } = await sql<KeyRecord>`
    with clock as materialized (select ratecard_now() as now)
    select k.id, k.name, k.prefix, k.last_four,
      case when k.revoked_at is null then 'active' when k.revoked_at > clock.now then 'ending' else 'revoked' end as state,
      array(
        select o.id from api_keys o
        where o.account_id = k.account_id and o.quota_subject = k.quota_subject and o.id <> k.id
          and (o.revoked_at is null or o.revoked_at > clock.now)
        order by o.created_at, o.id
      ) as shares_quota_with,
      used.*,
      ${iso('k.created_at')} as created_at, ${iso('k.revoked_at')} as revoked_at,
      (
        select ${iso('max(l.last_used_at)')} from usage_entries l
        where l.quota_subject = k.quota_subject and l.key_id = k.id and l.day = (
          select max(day) from usage_entries where quota_subject = k.quota_subject and key_id = k.id
        )
      ) as last_used_at
    from clock, api_keys k, lateral (
      select coalesce(sum(l.units) filter (where l.day = (clock.now at time zone 'utc')::date), 0)::int as used_today,
        coalesce(sum(l.units), 0)::int as used_30_days
      from usage_entries l
      where l.quota_subject = k.quota_subject and l.key_id = k.id
        and l.day > (clock.now at time zone 'utc')::date - 30
        and l.day <= (clock.now at time zone 'utc')::date
    ) used
    where k.account_id = ${accountId} and (${id}::text is null or k.id = ${id})
    order by k.created_at, k.id`.execute(db)
  return rows
}

/** An instant as the text we serve. */
function iso(expression: string) {
  return sql`to_char((${sql.raw(expression)}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
