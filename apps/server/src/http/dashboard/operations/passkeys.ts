import { z } from 'zod'
import { findChallenged } from '../../../features/members/second-factor-code.ts'
import { tellOwnChange } from '../../../features/members/own-change.ts'
import { judgeNewPasskey, judgeSignature } from '../../../features/members/passkey.ts'
import {
  beginChallenge,
  challengePurpose,
  findChallenge,
  useChallenge,
  type PasskeyChallenge,
} from '../../../features/members/passkey-challenge.ts'
import * as passkeys from '../../../features/members/passkey-store.ts'
import { endOldestSessions, endOtherSessions } from '../../../features/members/session-store.ts'
import { requireBoth } from '../confirm-both.ts'
import { requirePassword } from '../confirm-password.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { toActor } from '../member.ts'
import { forAnyone, forPeople, type Call, type DashboardServices } from '../operation.ts'
import { refuseElsewhere } from '../refuse-elsewhere.ts'
import { rememberBrowser } from '../remember-browser.ts'
import { Done, PasswordInput, RenameInput } from '../schemas/common.ts'
import {
  Passkey,
  PasskeyAskInput,
  PasskeyChallenge as ChallengeBody,
  PasskeyInput,
  PasskeySignature,
  PasskeyStartInput,
} from '../schemas/passkeys.ts'

// Passkeys, the user's own and those that sign in; the tag is "Signing in". docs/decisions/006-sign-in-attempts.md.

/** It takes the same path whoever asks. */
export const beginPasskeySignIn = forAnyone.write(
  'POST /passkey-sign-in/challenge',
  { body: PasskeyAskInput, 200: data(ChallengeBody), errors: ['not_signed_in'] },
  async ({ body, cookies }, services) => {
    const userId = body.in_place_of_code ? await findChallenged(services.db, cookies.sent) : null
    if (userId === undefined)
      throw new DashboardError('not_signed_in', { message: 'Show your password again, then a passkey.' })
    const credentials = userId === null ? [] : await passkeys.listCredentials(services.db, userId)
    return ask({ purpose: 'sign-in', userId }, credentials, cookies, services)
  },
)

/** A passkey is both factors: neither the password nor a code is asked for. */
export const signInWithPasskey = forAnyone.write(
  'POST /passkey-sign-in',
  { body: PasskeySignature, 200: Done, errors: ['wrong_credentials', 'forbidden'] },
  async ({ body, cookies, askAuth }, services) => {
    const { db, dashboardUrl: url } = services
    const asked = findChallenge('sign-in', cookies.sent, buildKeeping(services))
    const passkey = asked && (await passkeys.findPasskey(db, body.credential))
    if (!passkey || !isAskedFor(asked.userId, passkey.userId, body.user_handle)) throw notAccepted()
    const signCount = await judgeSignature(body, passkey, { challenge: asked.challenge, url })
    const isAccepted =
      signCount !== null &&
      (await useChallenge(db, asked.challenge)) &&
      (await passkeys.notePasskeyUse(db, passkey.id, signCount))
    if (!isAccepted) throw notAccepted()
    const answer = await askAuth('/vouched-session', { userId: passkey.userId })
    await refuseElsewhere(answer, passkey.userId, services)
    await endOldestSessions(db, passkey.email)
    await rememberBrowser(cookies, passkey.email, services)
  },
)

/** The device says whose the passkey is, unless we have said whose we ask for. */
function isAskedFor(askedId: string | null, ownerId: string, handle: string | null): boolean {
  if (askedId !== null && askedId !== ownerId) return false
  return handle === null ? askedId !== null : Buffer.from(handle, 'base64url').toString() === ownerId
}

/** The same for every cause. */
function notAccepted(): DashboardError {
  return new DashboardError('wrong_credentials', {
    message: 'This passkey was not accepted, or it took too long. Try again, or use your password.',
  })
}

export const listPasskeys = forPeople.read(
  'GET /passkeys',
  { 200: data(z.array(Passkey).max(passkeys.passkeysMax)) },
  ({ member }, { db }) => passkeys.listPasskeys(db, member.user.id),
)

export const beginPasskey = forPeople.password(
  'POST /passkeys/challenge',
  { body: PasskeyStartInput, 200: data(ChallengeBody) },
  async (call, services) => {
    const { user } = call.member
    await requireBoth(call, services)
    const present = await passkeys.listCredentials(services.db, user.id)
    return ask({ purpose: 'add', userId: user.id }, present, call.cookies, services)
  },
)

export const addPasskey = forPeople.write(
  'POST /passkeys',
  { body: PasskeyInput, 201: data(Passkey), errors: ['conflict'] },
  async ({ member, body, cookies }, services) => {
    const { db, dashboardUrl: url, clock } = services
    const { id: userId } = member.user
    const asked = findChallenge('add', cookies.sent, buildKeeping(services))
    const made = asked?.userId === userId && (await judgeNewPasskey(body, { ...asked, url }))
    if (!made) {
      throw new DashboardError('invalid_request', {
        message: 'The passkey was not accepted, or it took too long. Try again.',
      })
    }
    const queue = await services.openAlertQueue()
    return db.transaction().execute(async (trx) => {
      if (!(await useChallenge(trx, asked.challenge)))
        throw new DashboardError('conflict', { message: 'This passkey was added already.' })
      const passkey = await passkeys.insertPasskey(trx, userId, body.name, made)
      await tellOwnChange(trx, queue, toActor(member), 'passkey_added', clock.now())
      return passkey
    })
  },
)

export const renamePasskey = forPeople.write(
  'PATCH /passkeys/{id}',
  { body: RenameInput, 200: data(Passkey), errors: ['not_found'] },
  async ({ member, path, body }, { db }) => {
    const renamed = await passkeys.renamePasskey(db, member.user.id, path.id, body.name)
    if (!renamed) throw noSuchPasskey()
    return renamed
  },
)

/** Its device may be in other hands: what it signed in ends too. */
export const removePasskey = forPeople.password(
  'POST /passkeys/{id}/remove',
  { body: PasswordInput, 200: Done, errors: ['not_found'] },
  async ({ member, path, body }, services) => {
    const { db, clock } = services
    const { id: userId } = member.user
    await requirePassword(db, userId, body.password)
    const queue = await services.openAlertQueue()
    await db.transaction().execute(async (trx) => {
      if (!(await passkeys.deletePasskey(trx, userId, path.id))) throw noSuchPasskey()
      await endOtherSessions(trx, userId, { id: member.sessionId })
      await tellOwnChange(trx, queue, toActor(member), 'passkey_removed', clock.now())
    })
  },
)

function noSuchPasskey(): DashboardError {
  return new DashboardError('not_found', { message: 'You have no such passkey.' })
}

function buildKeeping({ secrets, clock }: DashboardServices) {
  return { secret: secrets.derive(challengePurpose), now: clock.now() }
}

function ask(
  whom: PasskeyChallenge,
  credentials: string[],
  cookies: Call['cookies'],
  services: DashboardServices,
) {
  const { challenge, cookie } = beginChallenge(whom, buildKeeping(services))
  cookies.set(cookie)
  const { hostname: host } = new URL(services.dashboardUrl)
  return { challenge, host, credentials }
}
