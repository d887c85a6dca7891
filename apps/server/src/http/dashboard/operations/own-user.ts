import * as deletion from '../../../features/deletion/actions.ts'
import * as sessions from '../../../features/members/session-store.ts'
import { newSessionToken } from '../../../features/members/sign-in.ts'
import { requirePassword, withPasswordTries, wrongPassword } from '../confirm-password.ts'
import { DashboardError, type DashboardErrorCode } from '../errors.ts'
import { meBody } from '../me-body.ts'
import { actorOf } from '../member.ts'
import { forPeople, type Call, type DashboardServices } from '../operation.ts'
import { refuseGuessable } from '../refuse-guessable.ts'
import { rememberBrowser } from '../remember-browser.ts'
import { showCode } from '../show-code.ts'

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
  async ({ member, body, cookies, askAuth, tellOwnChange }, services) => {
    await refuseGuessable(body.new_password, [member.user.email, member.user.name])
    const change = {
      currentPassword: body.current_password,
      newPassword: body.new_password,
      revokeOtherSessions: true,
    }
    await withPasswordTries(services.db, member.user.id, () =>
      askAuth('/change-password', change, wrongPassword),
    )
    await tellOwnChange('password_changed')
    await rememberBrowser(cookies, member.user.email, services)
    return { status: 200, body: { success: true } }
  },
)

export const setUpSecondFactor = forPeople.password<'setUpSecondFactor'>(async (call, services) => {
  if (call.member.user.has_second_factor) {
    throw new DashboardError('conflict', { message: 'You have a second factor already. Remove it first.' })
  }
  const { body: answer } = await withPasswordTries(services.db, call.member.user.id, () =>
    call.askAuth('/two-factor/enable', call.body, secondFactorRefusal),
  )
  const { totpURI: uri, backupCodes } = answer as { totpURI: string; backupCodes: string[] }
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  return { status: 200, body: { data: { secret, uri, recovery_codes: backupCodes } } }
})

export const confirmSecondFactor = forPeople.write<'confirmSecondFactor'>(
  async ({ member, body, askAuth, tellOwnChange }, services) => {
    if (member.user.has_second_factor) {
      throw new DashboardError('conflict', { message: 'Your second factor is confirmed already.' })
    }
    const answer = await showCode(member.user.id, body.code, askAuth, secondFactorRefusal, services)
    // better-auth has replaced this session by a new one. Sessions that were begun with the password alone end.
    const token = newSessionToken(answer)
    // A recovery code of the set-up begins none.
    if (token === null) throw refused(wrongCode)
    await sessions.endOtherSessions(services.db, member.user.id, token)
    await tellOwnChange('second_factor_added')
    return { status: 200, body: { success: true } }
  },
)

export const renewRecoveryCodes = forPeople.password<'renewRecoveryCodes'>(async (call, services) => {
  const answer = await askWithBoth('/two-factor/generate-backup-codes', call, services)
  const { backupCodes } = answer as { backupCodes: string[] }
  await call.tellOwnChange('recovery_codes_renewed')
  return { status: 200, body: { data: { recovery_codes: backupCodes } } }
})

export const removeSecondFactor = forPeople.password<'removeSecondFactor'>(async (call, services) => {
  await askWithBoth('/two-factor/disable', call, services)
  await call.tellOwnChange('second_factor_removed')
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

/** Asks for what only the present password and a code together open: a thief of one must not take the other away. */
async function askWithBoth(
  path: string,
  { member: { user }, body, askAuth }: Call<'renewRecoveryCodes' | 'removeSecondFactor', 'person'>,
  services: DashboardServices,
): Promise<unknown> {
  if (!user.has_second_factor) throw refused(noSecondFactor)
  const { password, code } = body
  // First: a mistyped password uses up no code.
  await requirePassword(services.db, user.id, password)
  await showCode(user.id, code, askAuth, secondFactorRefusal, services)
  return (await askAuth(path, { password }, secondFactorRefusal)).body
}

type Refused = readonly [code: DashboardErrorCode, message: string]

const noSecondFactor: Refused = ['conflict', 'You have no second factor. Set one up first.']
const wrongCode: Refused = [
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

function secondFactorRefusal(code: string): DashboardError | null {
  const known = secondFactorRefusals[code]
  return known ? refused(known) : null
}

function refused([code, message]: Refused): DashboardError {
  return new DashboardError(code, { message })
}
