import { randomBytes } from 'node:crypto'
import type { Db } from '../../database/connect.ts'
import { takeAttempt, type AttemptLimit } from './attempt-store.ts'
import { cookiePrefix } from './auth.ts'
import { cookieValue } from './cookie-value.ts'
import { checkProof, signProof } from './signed-proof.ts'

// What a passkey has to sign. The browser that asked keeps it in a signed cookie, so that a stranger who asks costs no
// row; what is written down, for as long as it would hold, is that it was answered.

/** The purpose for which the key that signs the cookies is derived. */
export const challengePurpose = 'passkey challenges'

const cookieName = `${cookiePrefix}.passkey`
const validSeconds = 300
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** A browser that answers one must have asked for it. */
export interface PasskeyChallenge {
  /** Whether a new passkey is to sign it, or one that signs in. */
  purpose: 'add' | 'sign-in'
  /** Who has to answer; null: whoever has a passkey. */
  userId: string | null
}

interface Keeping {
  /** Signs cookies. */
  secret: string
  now: Date
}

/** @returns the random text to sign, and the `Set-Cookie` line for the browser that asks */
export function beginChallenge(
  { purpose, userId }: PasskeyChallenge,
  { secret, now }: Keeping,
): { challenge: string; cookie: string } {
  const challenge = randomBytes(32).toString('base64url')
  const parts = [challenge, String(Math.floor(now.getTime() / 1_000) + validSeconds), userId ?? '']
  const value = [...parts, signProof(secret, [purpose, ...parts])].join('.')
  return { challenge, cookie: `${cookieName}=${value}; Max-Age=${validSeconds}; ${attributes}` }
}

/** @returns the challenge that this browser has to answer; null: none, or it is too late */
export function findChallenge(
  purpose: PasskeyChallenge['purpose'],
  cookies: string | undefined,
  { secret, now }: Keeping,
): { challenge: string; userId: string | null } | null {
  const [challenge, expires, userId, proof] = cookieValue(cookies, cookieName)?.split('.') ?? []
  if (challenge === undefined || expires === undefined || userId === undefined || proof === undefined)
    return null
  if (!checkProof(secret, [purpose, challenge, expires, userId], proof)) return null
  return Number(expires) * 1_000 < now.getTime() ? null : { challenge, userId: userId || null }
}

const answers: AttemptLimit = { what: 'answers to a challenge', max: 1, seconds: validSeconds }

/**
 * Uses a challenge up. Called once the answer was found right: only who has a passkey writes a row.
 * @returns false when it was answered before
 */
export async function useChallenge(db: Db, challenge: string): Promise<boolean> {
  return (await takeAttempt(db, answers, challenge)) === 0
}
