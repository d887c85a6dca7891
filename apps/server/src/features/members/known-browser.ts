import type { Db } from '../../database/connect.ts'
import { randomBase62 } from '../../platform/ids.ts'
import { cookieValue } from './cookie-value.ts'
import { checkProof, signProof } from './signed-proof.ts'

// Twenty wrong passwords an hour block every unknown browser, or a large network of machines could try without end.
// They do not block the user: a browser that has signed in before carries a proof of it, and its attempts are counted
// apart (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). The password hash is
// part of the signature: a new password invalidates older proofs.

const cookieName = '__Host-ratecard.known_browser'
const validSeconds = 180 * 86_400
const idLength = 20

/** @returns a `Set-Cookie` line for a browser in which the user has just signed in; null: there is no such user */
export async function knownBrowserCookie(
  db: Db,
  { secret, email, now }: { secret: string; email: string; now: Date },
): Promise<string | null> {
  const passwordHash = await findPasswordHash(db, email)
  if (passwordHash === null) return null
  const id = randomBase62(idLength)
  const expires = String(Math.floor(now.getTime() / 1_000) + validSeconds)
  const proof = signProof(secret, [email, id, expires, passwordHash])
  const attributes = `Max-Age=${validSeconds}; Path=/; HttpOnly; Secure; SameSite=Lax`
  return `${cookieName}=${id}.${expires}.${proof}; ${attributes}`
}

/**
 * The user's known browser that sends a request; null: none of them. It takes the same path whether or not there is
 * such a user.
 */
export async function findKnownBrowser(
  db: Db,
  { secret, email, cookie, now }: { secret: string; email: string; cookie: string | undefined; now: Date },
): Promise<string | null> {
  const value = cookieValue(cookie, cookieName)
  const [, id, expires, proof] = /^([0-9A-Za-z]{20})\.(\d{1,12})\.([\w-]{43})$/.exec(value ?? '') ?? []
  if (id === undefined || expires === undefined || proof === undefined) return null
  if (Number(expires) * 1_000 < now.getTime()) return null
  const passwordHash = await findPasswordHash(db, email)
  const isRight = checkProof(secret, [email, id, expires, passwordHash ?? ''], proof)
  return isRight && passwordHash !== null ? id : null
}

async function findPasswordHash(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('auth_users')
    .innerJoin('auth_credentials', 'auth_credentials.user_id', 'auth_users.id')
    .select('auth_credentials.password')
    .where('auth_users.email', '=', email)
    .where('auth_credentials.provider_id', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? null
}
