import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  to: string
  text: string
}

/** A real mail server that keeps what it is sent. */
export async function openMailbox(): Promise<{ url: string; mails: Mail[]; close: () => Promise<void> }> {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (bytes: Buffer) => parts.push(bytes))
      stream.on('end', () => {
        // Lines of quoted-printable are put together again.
        const text = Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text })
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => smtp.close(resolve))
  return { url: `smtp://127.0.0.1:${port}`, mails, close }
}
