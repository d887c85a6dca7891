import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { goodCertificate } from '../../test/support/certificates.ts'
import { createLogger } from './logger.ts'
import { createMailer, MailboxRefused } from './mailer.ts'

const mail = {
  to: 'ada@customer.example',
  subject: 'Confirm your address',
  text: 'Follow this link.',
  link: 'https://prices.example/dashboard/verify-email#token=abcdefghijklmnopqrstuvwxyz0123456789.abcdefghijklmnopqrstuvwxyz0123456789',
}
const password = 'pass-word-nobody-may-see'

/** A mail server on this machine that takes one user, and what it was sent. */
async function openMailServer(options: SMTPServerOptions = {}): Promise<{ host: string; mails: string[] }> {
  const mails: string[] = []
  const server = new SMTPServer({
    ...goodCertificate,
    authOptional: true,
    onAuth: (auth, _session, done) =>
      auth.username === 'ratecard' && auth.password === password
        ? done(null, { user: auth.username })
        : done(new Error('No such user or password')),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  return { host: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails }
}

/** Sends the mail, and resolves to what is logged; of what is thrown, to what would be. */
async function send(smtpUrl: string | undefined): Promise<string> {
  let log = ''
  const logger = createLogger('info', { write: (line: string) => void (log += line) })
  try {
    await createMailer({ smtpUrl, from: 'Ratecard <no-reply@prices.example>', logger })(mail)
  } catch (error) {
    logger.error({ err: error }, 'mail not sent')
  }
  return log
}

// The test's authority is no public one.
const trusting = 'tls.rejectUnauthorized=false'

describe('a mail', () => {
  test('to a mailbox that the server does not have is refused for good, to one that it cannot take now is not', async () => {
    const { host } = await openMailServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => {
        const responseCode = address.startsWith('nobody') ? 550 : 450
        done(Object.assign(new Error('Not here'), { responseCode }))
      },
    })
    const sendMail = createMailer({
      smtpUrl: `smtp://${host}`,
      from: 'a@b.example',
      logger: createLogger('silent'),
    })
    await expect(sendMail({ ...mail, to: 'nobody@x.example' })).rejects.toThrow(MailboxRefused)
    await expect(sendMail(mail)).rejects.not.toThrow(MailboxRefused)
  })

  test.each(['smtp', 'smtps'])(
    'goes out by %s, with the password over TLS and the link whole',
    async (protocol) => {
      const { host, mails } = await openMailServer({ secure: protocol === 'smtps' })
      expect(await send(`${protocol}://ratecard:${password}@${host}?${trusting}`)).toBe('')
      expect(mails).toHaveLength(1)
      expect(mails[0]).toContain('From: Ratecard <no-reply@prices.example>')
      expect(mails[0]).toContain('To: ada@customer.example')
      // Long lines are folded on the way, and joined again by the reader.
      const unfolded = mails[0]!.replaceAll('=\r\n', '').replaceAll('=3D', '=')
      expect(unfolded).toContain(`${mail.text}\r\n\r\n${mail.link}`)
    },
  )

  test('goes to a relay without TLS that wants no password', async () => {
    const { host, mails } = await openMailServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
    expect(await send(`smtp://${host}`)).toBe('')
    expect(mails).toHaveLength(1)
  })

  test('is not sent, and neither is the password, to a server without TLS', async () => {
    const { host, mails } = await openMailServer({ hideSTARTTLS: true, allowInsecureAuth: true })
    const log = await send(`smtp://ratecard:${password}@${host}`)
    expect(log).toContain('mail not sent')
    expect(mails).toEqual([])
    expect(await send(`smtp://ratecard:${password}@${host}?requireTLS=false`)).toBe('')
    expect(mails).toHaveLength(1)
  })

  test.each([
    ['a wrong password', `ratecard:${password}x@`, trusting],
    ['a certificate that nobody signed', `ratecard:${password}@`, ''],
  ])('that fails by %s is told without a secret', async (_why, user, query) => {
    const { host, mails } = await openMailServer()
    const log = await send(`smtp://${user}${host}?${query}`)
    expect(log).toContain('mail not sent')
    expect(log).not.toContain(password)
    expect(log).not.toContain(mail.link)
    expect(mails).toEqual([])
  })

  test('waits for a server that says nothing no longer than it was told', async () => {
    const { host } = await openMailServer({ onConnect: () => undefined })
    expect(await send(`smtp://${host}?greetingTimeout=100`)).toContain('mail not sent')
  })

  test('is logged with its link where there is no server', async () => {
    expect(await send(undefined)).toContain(mail.link)
  })
})
