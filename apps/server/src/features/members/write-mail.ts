import type { Db } from '../../database/connect.ts'
import type { Mail } from '../../platform/mailer.ts'
import type {
  FollowMailRequest,
  MailRequest,
  NoticeMailRequest,
  OwnChange,
  OwnChangeMailRequest,
  ReviewMailRequest,
} from '../../queue/job-types.ts'
import { takeAttempt, type AttemptLimit } from './attempt-store.ts'
import { findInvitationToMail, isInvited, renewInvitationToken } from './invitation-store.ts'
import { insertMailedLink } from './mailed-link-store.ts'
import { quoteName } from './quote-name.ts'
import { findUserId } from './user-store.ts'

// A mail is written when it is sent. The address is looked up here, which its requester cannot observe, and no token is
// in the queue. Each attempt to send has a link of its own.

const hourSeconds = 3_600
/**
 * Three mails to a mailbox, whoever requests them. Each has a link that its owner can use, so the requests of others
 * keep nothing from the owner.
 */
const mailsToMailbox: AttemptLimit = { what: 'mails to a mailbox', max: 3, seconds: hourSeconds }
/** Counted apart: otherwise strangers' requests could suppress an invitation. */
const invitationsToMailbox: AttemptLimit = { ...mailsToMailbox, what: 'invitations to a mailbox' }

export interface MailLinks {
  /** Where the pages are, without a trailing slash. */
  dashboardUrl: string
  /** Where accounts are made, when that is another cell; null: here. */
  signUpUrl: string | null
}

export type WrittenMail = { kind: 'mail'; mail: Mail } | { kind: 'none' } | { kind: 'later'; seconds: number }

/**
 * @param isFirst whether this is the first attempt to send it: later attempts are not counted again
 * @returns the mail; none: that mailbox gets no mail
 */
export async function writeMail(
  db: Db,
  request: Exclude<MailRequest, ReviewMailRequest | NoticeMailRequest | FollowMailRequest>,
  { dashboardUrl, signUpUrl, isFirst }: MailLinks & { isFirst: boolean },
): Promise<WrittenMail> {
  if (request.kind === 'invitation')
    return writeInvitation(db, request.invitationId, { dashboardUrl, isFirst })
  if (request.kind === 'own-change') return writeOwnChange(request, dashboardUrl)
  const { kind, email } = request
  const isUser = (await findUserId(db, email)) !== undefined
  if (kind !== 'sign-up' && !isUser) return { kind: 'none' }
  // An operator's request is not counted among those of strangers.
  if (kind === 'second-factor-reset') {
    return writeBody({
      to: email,
      subject: 'Your Ratecard second factor was removed',
      text: 'An operator of Ratecard removed it, with its recovery codes and your passkeys, because somebody, hopefully you, said that they are lost. You are signed out everywhere. Sign in with your password and set up a new one. If it was not you, choose a new password at once and write to the operator.',
      link: `${dashboardUrl}/sign-in`,
    })
  }
  if (isFirst && (await takeAttempt(db, mailsToMailbox, email)) > 0) return { kind: 'none' }
  // Who is invited to an account of this cell needs a user here. No answer tells that they are.
  if (!isUser && signUpUrl !== null && !(await isInvited(db, email))) {
    return writeBody({
      to: email,
      subject: 'Sign up to Ratecard at another address',
      text: 'Somebody, hopefully you, wants to sign up. New accounts are made at the address below: sign up there. If it was not you, do nothing.',
      link: signUpUrl,
    })
  }
  if (!isUser) {
    const token = await insertMailedLink(db, 'sign-up', email)
    return writeBody({
      to: email,
      subject: 'Finish signing up to Ratecard',
      text: 'Follow this link within a day and choose a password. If it was not you who signed up, do nothing: without the link, nobody can.',
      link: `${dashboardUrl}/finish-sign-up#token=${token}`,
    })
  }
  const token = await insertMailedLink(db, 'password-reset', email)
  const link = `${dashboardUrl}/reset-password#token=${token}`
  if (kind === 'sign-up') {
    return writeBody({
      to: email,
      subject: 'You have a Ratecard account already',
      text: `Somebody, hopefully you, signed up with this address. It has an account: sign in at ${dashboardUrl}/sign-in, or choose a new password by the link below, which works once, for an hour. If it was not you, do nothing.`,
      link,
    })
  }
  return writeBody({
    to: email,
    subject: 'Choose a new Ratecard password',
    text: 'Somebody, hopefully you, asked for a new password. This link works once, for an hour. If it was not you, do nothing.',
    link,
  })
}

const ownChanges: Readonly<Record<OwnChange, { subject: string; text: string }>> = {
  password_changed: {
    subject: 'Your Ratecard password was changed',
    text: 'You sign in with the new one from now on. All other sessions have ended.',
  },
  second_factor_added: {
    subject: 'Your Ratecard second factor is on',
    text: 'Signing in asks for a code of your authenticator app from now on. All other sessions have ended.',
  },
  second_factor_removed: {
    subject: 'Your Ratecard second factor was removed',
    text: 'Signing in takes the password alone from now on.',
  },
  recovery_codes_renewed: {
    subject: 'Your Ratecard recovery codes were renewed',
    text: 'Those that you had do not work any more.',
  },
  passkey_added: {
    subject: 'A passkey was added to your Ratecard sign-in',
    text: 'It signs you in without the password from now on. If you did not add it, remove it under "Sign-in and security".',
  },
  passkey_removed: {
    subject: 'A passkey of your Ratecard sign-in was removed',
    text: 'It does not sign you in any more. All other sessions have ended.',
  },
}

function writeOwnChange({ change, email }: OwnChangeMailRequest, dashboardUrl: string): WrittenMail {
  const { subject, text } = ownChanges[change]
  const advice = 'If it was not you, choose a new password at once by this link, and write to the operator.'
  return writeBody({ to: email, subject, text: `${text} ${advice}`, link: `${dashboardUrl}/forgot-password` })
}

async function writeInvitation(
  db: Db,
  id: string,
  { dashboardUrl, isFirst }: { dashboardUrl: string; isFirst: boolean },
): Promise<WrittenMail> {
  const invitation = await findInvitationToMail(db, id)
  if (!invitation) return { kind: 'none' }
  const { email, accountName, inviterName, inviterEmail } = invitation
  const seconds = isFirst ? await takeAttempt(db, invitationsToMailbox, email) : 0
  if (seconds > 0) return { kind: 'later', seconds }
  const token = await renewInvitationToken(db, id)
  if (token === undefined) return { kind: 'none' }
  return writeBody({
    to: email,
    // Without a name: its first words must be ours.
    subject: 'You are invited to an account on Ratecard',
    text: `${quoteName(inviterName)} (${inviterEmail}) invites you to the account ${quoteName(accountName)}. The link works for 7 days from the invitation, for whoever signs in with this address: sign up first if you have not yet, then follow it again. If you do not know who this is, do nothing.`,
    link: `${dashboardUrl}/accept-invitation#token=${token}`,
  })
}

function writeBody(mail: Mail): WrittenMail {
  return { kind: 'mail', mail }
}
