import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { cookiePrefix, type AuthSecret } from './auth.ts'
import { cookieValue } from './cookie-value.ts'
import { createOpener } from './second-factor-store.ts'

// better-auth judges codes and says who signs in. What it leaves open is here: whose code it is going to judge, so that
// attempts are counted before, and that a code works once.

/** The user who has shown their password in this browser, and still has to show a code; undefined: none. */
export async function findChallenged(db: Db, cookie: string | undefined): Promise<string | undefined> {
  const signed = decodeURIComponent(cookieValue(cookie, `${cookiePrefix}.two_factor`) ?? '')
  // What is before the last point is random, and its hash is stored; better-auth verifies the signature behind it.
  const identifier = createHash('sha256')
    .update(signed.replace(/\.[^.]*$/, ''))
    .digest('base64url')
  const row = await db
    .selectFrom('auth_verifications')
    .select('value')
    .where('identifier', '=', identifier)
    .where('expires_at', '>', sql<string>`ratecard_now()`)
    .executeTakeFirst()
  return row?.value
}

const stepMs = 30_000

/**
 * Uses a code of a user's authenticator app up.
 * @returns false when it is wrong, or when it or a later one was used before
 */
export async function useTotpCode(
  db: Db,
  secrets: readonly AuthSecret[],
  userId: string,
  code: string,
): Promise<boolean> {
  const factor = await db
    .selectFrom('auth_two_factors')
    .select(['id', 'secret'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // better-auth says so.
  if (!factor) return true
  const open = await createOpener(secrets)
  const key = await open(factor.secret)
  // As better-auth does: a device may be half a minute fast or slow.
  const now = Math.floor(Date.now() / stepMs)
  const step = [now - 1, now, now + 1].find((one) => computeTotp(key, one) === code)
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('auth_two_factors')
    .set({ last_step: step })
    .where('id', '=', factor.id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** RFC 6238 with the usual parameters: SHA-1, six digits. */
function computeTotp(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const at = mac.at(-1)! & 15
  return String((mac.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}
