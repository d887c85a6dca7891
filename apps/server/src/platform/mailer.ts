import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Logger } from './logger.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text, before the link. */
  text: string
  link: string
  /** What follows the link. */
  footer?: string
  /** The same in HTML. */
  html?: string
  /** Where a mail program ends such mails with a press of its button (RFC 8058). */
  unsubscribeUrl?: string
  /** Names the mail: one that is sent again is recognised by it. */
  id?: string
}

export type Mailer = (mail: Mail) => Promise<void>

export interface MailerOptions {
  /** Such as `smtps://user:password@mail.example`; undefined: links are logged instead of mailed. */
  smtpUrl: string | undefined
  from: string
  logger: Logger
}

const timeoutMs = 10_000

/** The mail server will never take this mail: there is no such mailbox. */
export class MailboxRefused extends Error {
  override name = 'MailboxRefused'
}

/** Sends mails. What it throws names no link. */
export function createMailer({ smtpUrl, from, logger }: MailerOptions): Mailer {
  if (smtpUrl === undefined) {
    return ({ to, subject, link }) => {
      // A warning, because `start` logs no less and must show it: no user can sign up without the link.
      logger.warn(
        { to, subject, link },
        'there is no mail server: here is the link that would have been mailed',
      )
      return Promise.resolve()
    }
  }
  let transport: Transporter | null = null
  return async (mail) => {
    transport ??= await openTransport(smtpUrl)
    try {
      await transport.sendMail(buildMessage(mail, from))
    } catch (error) {
      if (!isRefusal(error)) throw error
      throw new MailboxRefused('The mail server does not take mail for this address.', { cause: error })
    }
  }
}

function buildMessage(
  { to, subject, text, link, footer, html, unsubscribeUrl, id }: Mail,
  from: string,
): SendMailOptions {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to,
    subject,
    text: footer === undefined ? `${text}\n\n${link}\n` : `${text}\n\n${link}\n\n${footer}\n`,
    ...(html !== undefined && { html }),
    ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
    ...(unsubscribeUrl !== undefined && { headers: unsubscribeHeaders(unsubscribeUrl) }),
  }
}

function unsubscribeHeaders(url: string): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${url}>`,
    // RFC 8058, 3.1: of https alone.
    ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

/** RFC 5321, 4.2.1: 5yz is for good. What is said before the recipient is named is about us and not about them. */
function isRefusal(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500
}

/** Loaded with the first mail: most processes send none. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    // What its query sets, such as `?requireTLS=false`, wins over what is below.
    url: smtpUrl,
    // A password is not sent to a server that only claims to have no TLS.
    requireTLS: new URL(smtpUrl).password !== '',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
}
