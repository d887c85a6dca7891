import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { randomBase62 } from '../../platform/ids.ts'

export type LinkPurpose = 'sign-up' | 'password-reset'

// 238 bits.
const tokenLength = 40
const validity = { 'sign-up': sql`interval '1 day'`, 'password-reset': sql`interval '1 hour'` }

/** A token, and its hash, which is stored. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBase62(tokenLength)
  return { token, tokenHash: hashToken(token) }
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** @returns the token of a new link to this mailbox. It is not stored. */
export async function insertMailedLink(db: Db, purpose: LinkPurpose, email: string): Promise<string> {
  const { token, tokenHash } = newToken()
  await db
    .insertInto('mailed_links')
    .values({
      token_hash: tokenHash,
      purpose,
      email,
      expires_at: sql<string>`ratecard_now() + ${validity[purpose]}`,
    })
    .execute()
  return token
}

/** @returns the mailbox of a link; undefined: the link is not valid */
export async function findMailedLink(
  db: Db,
  purpose: LinkPurpose,
  token: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('mailed_links')
    .select('email')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .executeTakeFirst()
  return row?.email
}

/**
 * Consumes a link, and every other link to the same mailbox.
 * @returns the mailbox; undefined: the link is not valid, or another request has consumed it
 */
export async function useMailedLink(
  trx: Trx,
  purpose: LinkPurpose,
  token: string,
): Promise<string | undefined> {
  const email = await findMailedLink(trx, purpose, token)
  if (email === undefined) return undefined
  const gone = await trx
    .deleteFrom('mailed_links')
    .where('email', '=', email)
    .returning('token_hash')
    .execute()
  return gone.some(({ token_hash }) => hashToken(token).equals(token_hash)) ? email : undefined
}
