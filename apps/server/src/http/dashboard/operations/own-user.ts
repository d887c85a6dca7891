import { z } from 'zod'
import * as deletion from '../../../features/deletion/actions.ts'
import * as sessions from '../../../features/members/session-store.ts'
import { newSessionToken } from '../../../features/members/sign-in.ts'
import { noSecondFactor, refused, requireBoth, secondFactorRefusal, wrongCode } from '../confirm-both.ts'
import { requirePassword, withPasswordTries, wrongPassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { meBody } from '../me-body.ts'
import { toActor } from '../member.ts'
import { forPeople, type Call, type DashboardServices } from '../operation.ts'
import { refuseGuessable } from '../refuse-guessable.ts'
import { rememberBrowser } from '../remember-browser.ts'
import { showCode } from '../show-code.ts'
import { CodeInput, Done, PasswordInput } from '../schemas/common.ts'
import {
  Me,
  PasswordAndCodeInput,
  PasswordChangeInput,
  RecoveryCodes,
  SecondFactorSetup,
  Session,
} from '../schemas/own-user.ts'

// What the signed-in user does about themselves; the tag is "Signing in".

export const getMe = forPeople.read('GET /me', { 200: data(Me) }, ({ member }, services) =>
  meBody(member, services),
)

export const listSessions = forPeople.read(
  'GET /sessions',
  { 200: data(z.array(Session)) },
  async ({ member }, { db }) => {
    const rows = await sessions.listSessions(db, member.user.id)
    return rows.map((session) => ({ ...session, current: session.id === member.sessionId }))
  },
)

export const revokeSession = forPeople.write(
  'DELETE /sessions/{id}',
  { 200: Done, errors: ['not_found'] },
  async ({ member, path }, { db }) => {
    if (!(await sessions.deleteSession(db, member.user.id, path.id))) {
      throw new DashboardError('not_found', { message: 'You have no such session.' })
    }
  },
)

/** Signs out as well, which removes the cookie. */
export const endSessions = forPeople.write(
  'DELETE /sessions',
  { 200: Done },
  async ({ member, askAuth }, { db }) => {
    await askAuth('/sign-out', {})
    await sessions.endSessions(db, member.user.id)
  },
)

export const changePassword = forPeople.password(
  'POST /password',
  { body: PasswordChangeInput, 200: Done },
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
  },
)

export const setUpSecondFactor = forPeople.password(
  'POST /second-factor/setup',
  { body: PasswordInput, 200: data(SecondFactorSetup), errors: ['conflict'] },
  async (call, services) => {
    if (call.member.user.has_second_factor) {
      throw new DashboardError('conflict', { message: 'You have a second factor already. Remove it first.' })
    }
    const { body: answer } = await withPasswordTries(services.db, call.member.user.id, () =>
      call.askAuth('/two-factor/enable', call.body, secondFactorRefusal),
    )
    const { totpURI: uri, backupCodes } = answer as { totpURI: string; backupCodes: string[] }
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    return { secret, uri, recovery_codes: backupCodes }
  },
)

export const confirmSecondFactor = forPeople.write(
  'POST /second-factor/confirm',
  { body: CodeInput, 200: Done, errors: ['conflict'] },
  async ({ member, body, askAuth, tellOwnChange }, services) => {
    if (member.user.has_second_factor) {
      throw new DashboardError('conflict', { message: 'Your second factor is confirmed already.' })
    }
    const answer = await showCode(member.user.id, body.code, askAuth, secondFactorRefusal, services)
    // better-auth has replaced this session by a new one. Sessions that were begun with the password alone end.
    const token = newSessionToken(answer)
    // A recovery code of the set-up begins none.
    if (token === null) throw refused(wrongCode)
    await sessions.endOtherSessions(services.db, member.user.id, { token })
    await tellOwnChange('second_factor_added')
  },
)

export const renewRecoveryCodes = forPeople.password(
  'POST /second-factor/recovery-codes',
  { body: PasswordAndCodeInput, 200: data(RecoveryCodes), errors: ['conflict'] },
  async (call, services) => {
    const answer = await askWithBoth('/two-factor/generate-backup-codes', call, services)
    const { backupCodes } = answer as { backupCodes: string[] }
    await call.tellOwnChange('recovery_codes_renewed')
    return { recovery_codes: backupCodes }
  },
)

export const removeSecondFactor = forPeople.password(
  'POST /second-factor/remove',
  { body: PasswordAndCodeInput, 200: Done, errors: ['conflict'] },
  async (call, services) => {
    await askWithBoth('/two-factor/disable', call, services)
    await call.tellOwnChange('second_factor_removed')
  },
)

export const deleteUser = forPeople.password(
  'POST /delete-user',
  { body: PasswordInput, 200: Done, errors: ['last_owner', 'conflict'] },
  async ({ member, body: { password }, askAuth }, { db }) => {
    await requirePassword(db, member.user.id, password)
    await db.transaction().execute((trx) => deletion.deleteUser(trx, toActor(member)))
    // The session is gone; this takes its cookie away.
    await askAuth('/sign-out', {})
  },
)

/** Asks for what only the present password and a code together open. */
async function askWithBoth(
  path: string,
  call: Call<{ body: typeof PasswordAndCodeInput }, 'person'>,
  services: DashboardServices,
): Promise<unknown> {
  if (!call.member.user.has_second_factor) throw refused(noSecondFactor)
  await requireBoth(call, services)
  return (await call.askAuth(path, { password: call.body.password }, secondFactorRefusal)).body
}
