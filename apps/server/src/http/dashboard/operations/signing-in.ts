import { z } from 'zod'
import type { Trx } from '../../../database/connect.ts'
import { returnAttempt, type AttemptLimit } from '../../../features/members/attempt-store.ts'
import { findKnownBrowser } from '../../../features/members/known-browser.ts'
import { findInvitation } from '../../../features/members/invitation-store.ts'
import { requestMail } from '../../../features/members/mail-queue.ts'
import {
  findMailedLink,
  useMailedLink,
  type LinkPurpose,
} from '../../../features/members/mailed-link-store.ts'
import { insertOwnAccount } from '../../../features/members/own-account.ts'
import { tellOwnChange } from '../../../features/members/own-change.ts'
import { findChallenged } from '../../../features/members/second-factor-code.ts'
import { endOldestSessions } from '../../../features/members/session-store.ts'
import { findUserId, hashPassword, insertUser, setPassword } from '../../../features/members/user-store.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { spend } from '../limit-attempts.ts'
import { forAnyone, type Call, type DashboardServices } from '../operation.ts'
import { refuseElsewhere } from '../refuse-elsewhere.ts'
import { refuseGuessable } from '../refuse-guessable.ts'
import { knownBrowserPurpose, rememberBrowser } from '../remember-browser.ts'
import { showCode } from '../show-code.ts'
import { CodeInput, Done } from '../schemas/common.ts'
import {
  EmailInput,
  FinishSignUpInput,
  InvitationCheckInput,
  Invited,
  MailedLinkInput,
  PasswordResetInput,
  SignInInput,
} from '../schemas/signing-in.ts'

export const signUp = forAnyone.write(
  'POST /sign-up',
  { body: EmailInput, 202: Done },
  ({ body }, services) => mailLink('sign-up', body.email, services),
)

/**
 * The user who holds the link reads the mailbox, and no password was chosen for it before. They have just shown both, so
 * they are signed in.
 */
export const finishSignUp = forAnyone.password(
  'POST /finish-sign-up',
  { body: FinishSignUpInput, 200: Done },
  async (call, services) => {
    const { email } = await setPasswordByLink('sign-up', call, services, async (trx, email, passwordHash) => {
      const { name } = call.body
      const userId = await insertUser(trx, { name, email, passwordHash })
      // An operator has made the user since the link was mailed.
      if (userId === null) return false
      await insertOwnAccount(trx, { userId, name })
      return true
    })
    await call.askAuth('/sign-in/email', {
      email,
      password: call.body.password,
      rememberMe: true,
    })
    await rememberBrowser(call.cookies, email, services)
  },
)

const failuresAnHour = { max: 20, seconds: 3_600 }
const fromAnywhere: AttemptLimit = { what: 'sign-in of a user', ...failuresAnHour }
const fromKnownBrowser: AttemptLimit = { what: 'sign-in from a known browser', ...failuresAnHour }

const advice =
  'Or sign in with a browser that you have used before, or choose a new password by a link that is mailed to you.'

/** Failures are counted for the user, whether or not there is one: docs/decisions/006-sign-in-attempts.md. */
export const signIn = forAnyone.password(
  'POST /sign-in',
  {
    body: SignInInput,
    200: z.strictObject({
      success: z.literal(true),
      /** Whether `showSecondFactor` has to follow before there is a session. */
      needs_second_factor: z.boolean(),
    }),
    errors: ['wrong_credentials', 'forbidden'],
  },
  async ({ body, cookies, askAuth }, services) => {
    const { db, secrets, clock } = services
    const { password, remember } = body
    const email = body.email.toLowerCase()
    const secret = secrets.derive(knownBrowserPurpose)
    const browser = await findKnownBrowser(db, { secret, email, cookie: cookies.sent, now: clock.now() })
    const [limit, subject] = browser === null ? [fromAnywhere, email] : [fromKnownBrowser, browser]
    await spend(db, limit, subject, advice)
    const answer = await askAuth(
      '/sign-in/email',
      { email, password, rememberMe: remember },
      () => new DashboardError('wrong_credentials'),
    )
    await returnAttempt(db, limit, subject)
    const { twoFactorRedirect: needsSecondFactor = false } = (answer.body ?? {}) as {
      twoFactorRedirect?: boolean
    }
    // With a second factor, the browser is known once that was shown: showSecondFactor.
    if (!needsSecondFactor) {
      await refuseElsewhere(answer, await findUserId(db, email), services)
      await endOldestSessions(db, email)
      await rememberBrowser(cookies, email, services)
    }
    return { success: true, needs_second_factor: needsSecondFactor }
  },
)

export const showSecondFactor = forAnyone.write(
  'POST /second-factor',
  { body: CodeInput, 200: Done, errors: ['not_signed_in', 'wrong_credentials', 'forbidden'] },
  async ({ body, cookies, askAuth }, services) => {
    const explain = (refusal: string) =>
      refusal === 'INVALID_CODE' || refusal === 'INVALID_BACKUP_CODE'
        ? new DashboardError('wrong_credentials', { message: 'The code is wrong, or was used already.' })
        : new DashboardError('not_signed_in', { message: 'Show your password again, then a code.' })
    const userId = await findChallenged(services.db, cookies.sent)
    if (userId === undefined) throw explain('')
    const answer = await showCode(userId, body.code, askAuth, explain, services)
    const { user } = answer.body as { user: { email: string } }
    await refuseElsewhere(answer, userId, services)
    await endOldestSessions(services.db, user.email)
    await rememberBrowser(cookies, user.email, services)
  },
)

export const signOut = forAnyone.write('POST /sign-out', { 200: Done }, async ({ askAuth }) => {
  await askAuth('/sign-out', {})
})

export const sendPasswordResetMail = forAnyone.write(
  'POST /password-reset-mail',
  { body: EmailInput, 202: Done },
  ({ body }, services) => mailLink('password-reset', body.email, services),
)

/** However many wrong passwords others try: the user who reads the mailbox can sign in, here at least. */
export const resetPassword = forAnyone.password(
  'POST /password-reset',
  { body: PasswordResetInput, 200: Done },
  async (call, services) => {
    const queue = await services.openAlertQueue()
    await setPasswordByLink('password-reset', call, services, async (trx, email, passwordHash) => {
      const userId = await findUserId(trx, email)
      if (userId === undefined) return false
      await setPassword(trx, userId, passwordHash)
      await tellOwnChange(
        trx,
        queue,
        { kind: 'user', userId, email },
        'password_changed',
        services.clock.now(),
      )
      return true
    })
  },
)

/** It says no more than an attempt to use the link would. */
export const checkMailedLink = forAnyone.write(
  'POST /mailed-link-check',
  { body: MailedLinkInput, 200: Done },
  async ({ body: { kind, token } }, { db }) => {
    if ((await findMailedLink(db, kind, token)) === undefined) throw linkDoesNotWork()
  },
)

/** Names it to whoever has its link, signed in or not; of one that does not hold it tells nothing. */
export const checkInvitation = forAnyone.write(
  'POST /invitation-check',
  { body: InvitationCheckInput, 200: data(Invited) },
  async ({ body: { token } }, { db }) => {
    const invitation = await findInvitation(db, token)
    if (!invitation) throw linkDoesNotWork()
    return invitation
  },
)

/** Whether there is such a user is looked up when the mail is written: no answer reveals it. */
async function mailLink(
  kind: LinkPurpose,
  email: string,
  { db, clock, openAlertQueue }: DashboardServices,
): Promise<void> {
  const queue = await openAlertQueue()
  await requestMail(db, queue, { kind, email: email.toLowerCase() }, { now: clock.now() })
}

/**
 * @param set returns whether there was a user to set the password for
 * @returns the mailbox
 */
async function setPasswordByLink(
  kind: LinkPurpose,
  { body: { token, password }, cookies }: Pick<Call<{ body: typeof PasswordResetInput }>, 'body' | 'cookies'>,
  services: DashboardServices,
  set: (trx: Trx, email: string, passwordHash: string) => Promise<boolean>,
): Promise<{ email: string }> {
  const mailed = await findMailedLink(services.db, kind, token)
  if (mailed === undefined) throw linkDoesNotWork()
  await refuseGuessable(password, [mailed])
  const passwordHash = await hashPassword(password)
  const email = await services.db.transaction().execute(async (trx) => {
    const mailbox = await useMailedLink(trx, kind, token)
    if (mailbox === undefined || !(await set(trx, mailbox, passwordHash))) throw linkDoesNotWork()
    return mailbox
  })
  await rememberBrowser(cookies, email, services)
  return { email }
}

/** The same for every cause: an old link, a used one, and one that never existed. */
function linkDoesNotWork(): DashboardError {
  return new DashboardError('invalid_request', {
    message: 'This link does not work any more. Ask for a new one.',
  })
}
