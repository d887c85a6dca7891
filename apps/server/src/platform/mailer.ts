import type { Transporter } from 'nodemailer'
import type { Logger } from './logger.ts'

export interface Mail {
  to: string
  subject: string
  /** Plain text, before the link. */
  text: string
  link: string
}

export type Mailer = (mail: Mail) => Promise<void>

export interface MailerOptions {
  /** Such as `smtps://user:password@mail.example`; undefined: links are logged instead of mailed. */
  smtpUrl: string | undefined
  from: string
  logger: Logger
}

const timeoutMs = 10_000

/** Sends mails. A failure is logged and not thrown: whether an address is known must not show in an answer. */
export function createMailer({ smtpUrl, from, logger }: MailerOptions): Mailer {
  if (smtpUrl === undefined) {
    return ({ to, subject, link }) => {
      // A warning, so that `start`, which logs no less, shows it: nobody can sign up without the link.
      logger.warn({ to, subject, link }, 'SMTP_URL is not set: here is the link that would have been mailed')
      return Promise.resolve()
    }
  }
  let transport: Transporter | null = null
  return async ({ to, subject, text, link }) => {
    try {
      transport ??= await openTransport(smtpUrl)
      await transport.sendMail({ from, to, subject, text: `${text}\n\n${link}\n` })
    } catch (error) {
      logger.error({ err: error, to, subject }, 'mail not sent')
    }
  }
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
