import { requirePassword } from './confirm-password.ts'
import { DashboardError, type DashboardErrorCode } from './errors.ts'
import type { Call, DashboardServices } from './operation.ts'
import type { PasskeyStartInput } from './schemas/passkeys.ts'
import { showCode } from './show-code.ts'

/**
 * Asks for the present password and, of who has a second factor, for a code too: a thief of one must not take the other
 * away, nor add a passkey, which is worth both.
 * @throws DashboardError invalid_request, or too_many_attempts
 */
export async function requireBoth(
  {
    member: { user },
    body: { password, code },
    askAuth,
  }: Pick<Call<{ body: typeof PasskeyStartInput }, 'person'>, 'member' | 'body' | 'askAuth'>,
  services: DashboardServices,
): Promise<void> {
  // First: a mistyped password uses up no code.
  await requirePassword(services.db, user.id, password)
  if (!user.has_second_factor) return
  if (code === undefined) throw refused(noCode)
  await showCode(user.id, code, askAuth, secondFactorRefusal, services)
}

type Refused = readonly [code: DashboardErrorCode, message: string]

export const noSecondFactor: Refused = ['conflict', 'You have no second factor. Set one up first.']
const noCode: Refused = ['invalid_request', 'Give a code of your second factor too.']
export const wrongCode: Refused = [
  'invalid_request',
  'The code is wrong, or was used already. Check the clock of your device, and try the next code.',
]

/** What better-auth says when a second factor is managed, in our terms. */
const secondFactorRefusals: Record<string, Refused> = {
  INVALID_PASSWORD: ['invalid_request', 'The present password is wrong.'],
  TOTP_ALREADY_ENABLED: ['conflict', 'You have a second factor already. Remove it first.'],
  TOTP_NOT_ENABLED: noSecondFactor,
  TWO_FACTOR_NOT_ENABLED: noSecondFactor,
  INVALID_CODE: wrongCode,
  INVALID_BACKUP_CODE: wrongCode,
}

export function secondFactorRefusal(code: string): DashboardError | null {
  const known = secondFactorRefusals[code]
  return known ? refused(known) : null
}

export function refused([code, message]: Refused): DashboardError {
  return new DashboardError(code, { message })
}
