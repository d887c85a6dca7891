import * as deletion from '../../../features/deletion/actions.ts'
import type { AttemptLimit } from '../../../features/members/attempt-store.ts'
import * as sessions from '../../../features/members/session-store.ts'
import { newSessionToken } from '../../../features/members/sign-in.ts'
import { requirePassword, withPasswordTries, wrongPassword } from '../confirm-password.ts'
import { DashboardError, type DashboardErrorCode } from '../errors.ts'
import { spend } from '../limit-attempts.ts'
import { meBody } from '../me-body.ts'
import { actorOf } from '../member.ts'
import { forPeople, type Call, type DashboardServices } from '../operation.ts'
import { refuseGuessable } from '../refuse-guessable.ts'
import { rememberBrowser } from '../remember-browser.ts'

// What the signed-in user does about themselves; the tag is "Signing in".

export const getMe = forPeople.read<'getMe'>(async ({ member }, services) => ({
  status: 200,
  body: await meBody(member, services),
}))

export const listSessions = forPeople.read<'listSessions'>(async ({ member }, { db }) => {
  const rows = await sessions.listSessions(db, member.user.id)
  return {
    status: 200,
    body: { data: rows.map((session) => ({ ...session, current: session.id === member.sessionId })) },
  }
})

export const revokeSession = forPeople.write<'revokeSession'>(async ({ member, path }, { db }) => {
  if (!(await sessions.deleteSession(db, member.user.id, path.id))) {
    throw new DashboardError('not_found', { message: 'You have no such session.' })
  }
  return { status: 200, body: { success: true } }
})

/** Signs out as well, which removes the cookie. */
export const endSessions = forPeople.write<'endSessions'>(async ({ member, askAuth }, { db }) => {
  await askAuth('/sign-out', {})
  await sessions.endSessions(db, member.user.id)
  return { status: 200, body: { success: true } }
})

export const changePassword = forPeople.password<'changePassword'>(
  async ({ member, body, cookies, askAuth }, services) => {
    await refuseGuessable(body.new_password, [member.user.email, member.user.name])
    const change = {
      currentPassword: body.current_password,
      newPassword: body.new_password,
      revokeOtherSessions: true,
    }
    await withPasswordTries(services.db, member.user.id, () =>
      askAuth('/change-password', change, wrongPassword),
    )
    await rememberBrowser(cookies, member.user.email, services)
    return { status: 200, body: { success: true } }
  },
)

export const setUpSecondFactor = forPeople.password<'setUpSecondFactor'>(async (call, services) => {
  if (call.member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'You have a second factor already. Remove it first.' })
  }
  const answer = await askWithPassword('/two-factor/enable', call, services)
  const { totpURI: uri, backupCodes } = answer as { totpURI: string; backupCodes: string[] }
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return { status: 200, body: { data: { secret, uri, recovery_codes: backupCodes } } }
})

const codesTried: AttemptLimit = { what: 'code of a new second factor', max: 20, seconds: 3_600 }

export const confirmSecondFactor = forPeople.write<'confirmSecondFactor'>(
  async ({ member, body, askAuth }, { db }) => {
    if (member.user.has_second_factor) {
      throw new DashboardError('conflict', { message: 'Your second factor is confirmed already.' })
    }
    await spend(db, codesTried, member.user.id)
    const code = body.code.replaceAll(' ', '')
    const answer = await askAuth('/two-factor/verify-totp', { code }, secondFactorRefusal)
    // better-auth has replaced this session by a new one. Sessions that were begun with the password alone end.
    const token = newSessionToken(answer)
    if (token === null) throw new Error('better-auth has begun no new session.')
    await sessions.endOtherSessions(db, member.user.id, token)
    return { status: 200, body: { success: true } }
  },
)

export const renewRecoveryCodes = forPeople.password<'renewRecoveryCodes'>(async (call, services) => {
  const answer = await askWithPassword('/two-factor/generate-backup-codes', call, services)
  const { backupCodes } = answer as { backupCodes: string[] }
  return { status: 200, body: { data: { recovery_codes: backupCodes } } }
})

export const removeSecondFactor = forPeople.password<'removeSecondFactor'>(async (call, services) => {
  if (!call.member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'You have no second factor.' })
  }
  await askWithPassword('/two-factor/disable', call, services)
  return { status: 200, body: { success: true } }
})

export const deleteUser = forPeople.password<'deleteUser'>(
  async ({ member, body: { password }, askAuth }, { db }) => {
    await requirePassword(db, member.user.id, password)
    await db.transaction().execute((trx) => deletion.deleteUser(trx, actorOf(member)))
    // The session is gone; this takes its cookie away.
    await askAuth('/sign-out', {})
    return { status: 200, body: { success: true } }
  },
)

/** Asks for what only the present password opens. */
async function askWithPassword(
  path: string,
  {
    member,
    body: { password },
    askAuth,
  }: Pick<Call<'removeSecondFactor', 'person'>, 'member' | 'body' | 'askAuth'>,
  { db }: DashboardServices,
): Promise<unknown> {
  const { body } = await withPasswordTries(db, member.user.id, () =>
    askAuth(path, { password }, secondFactorRefusal),
  )
  return body
}

const noSecondFactor = ['conflict', 'You have no second factor. Set one up first.'] as const

/** What better-auth says when a second factor is managed, in our terms. */
const secondFactorRefusals: Record<string, readonly [code: DashboardErrorCode, message: string]> = {
  INVALID_PASSWORD: ['invalid_request', 'The present password is wrong.'],
  TOTP_ALREADY_ENABLED: ['conflict', 'You have a second factor already. Remove it first.'],
  TOTP_NOT_ENABLED: noSecondFactor,
  TWO_FACTOR_NOT_ENABLED: noSecondFactor,
  INVALID_CODE: [
    'invalid_request',
    'The code is wrong. Check the clock of your device, and try the next code.',
  ],
}

function secondFactorRefusal(code: string): DashboardError | null {
  const known = secondFactorRefusals[code]
  return known ? new DashboardError(known[0], { message: known[1] }) : null
}
