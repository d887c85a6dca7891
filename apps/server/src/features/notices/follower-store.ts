import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'
import { hashToken, newToken } from '../members/mailed-link-store.ts'

// Who is mailed of changes without an account. An address is mailed nothing but the question until its owner has
// confirmed it, and no answer tells who follows what.

export interface Followed {
  kind: 'all' | 'vendor' | 'product'
  /** Of the vendor or product; empty for all. */
  name: string
}

const daysToConfirm = 3
/** What strangers, too, can fill: more is not noted for an address. */
const ofAddressMax = 30

/** @returns what a mail has to ask the owner of the address; null: nothing, they follow it, or too much waits */
export async function follow(trx: Trx, email: string, { kind, name }: Followed): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into followers as f (id, email, kind, name, expires_at)
    select ${newId('fol')}, ${email}, ${kind}, ${name}, ratecard_now() + make_interval(days => ${daysToConfirm})
    where (select count(*) from followers where email = ${email}) < ${ofAddressMax}
    on conflict (email, kind, name) do update set expires_at = excluded.expires_at where f.confirmed_at is null
    returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Makes the link by which it is confirmed. Those mailed before end. @returns undefined: there is nothing to confirm */
export async function renewFollowToken(
  db: Db,
  id: string,
): Promise<(Followed & { email: string; token: string }) | undefined> {
  const { token, tokenHash } = newToken()
  const row = await db
    .updateTable('followers')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .returning(['email', 'kind', 'name'])
    .executeTakeFirst()
  return row && { ...(row as Followed & { email: string }), token }
}

/** @returns what a link confirms; undefined: it is damaged, used or too old */
export async function findFollow(db: Db, token: string): Promise<Followed | undefined> {
  const row = await db
    .selectFrom('followers')
    .select(['kind', 'name'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .executeTakeFirst()
  return row as Followed | undefined
}

export async function confirmFollow(db: Db, token: string): Promise<Followed | undefined> {
  const row = await db
    .updateTable('followers')
    .set({ confirmed_at: sql<string>`ratecard_now()`, expires_at: null, token_hash: null })
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .returning(['kind', 'name'])
    .executeTakeFirst()
  return row as Followed | undefined
}

/** Ends all that the address follows, whatever of it is named. */
export async function leave(db: Db, id: string): Promise<void> {
  await sql`delete from followers where email = (select email from followers where id = ${id})`.execute(db)
}
