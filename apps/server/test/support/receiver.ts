import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ChangeAlert } from '@ratecard/contract'
import { goodCertificate, type Certificate } from './certificates.ts'

/** A delivery as it arrived. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  alert: ChangeAlert
  atMs: number
}

/** The endpoint's action on a request whose body has arrived. Default: 200. */
export type Behaviour = (res: ServerResponse, received: Received, req: IncomingMessage) => void

export interface Receiver {
  /** `https://localhost:<port>` */
  url: string
  port: number
  received: Received[]
  /** Sets the action of the endpoint at this path. */
  behave: (path: string, behaviour: Behaviour) => void
  /** Resolves when `count` deliveries have arrived at paths that `wanted` accepts. */
  waitFor: (
    count: number,
    options?: { wanted?: (received: Received) => boolean; timeoutMs?: number },
  ) => Promise<Received[]>
  close: () => Promise<void>
}

/** A real HTTPS endpoint that records requests and fails on demand. */
export async function startReceiver(certificate: Certificate = goodCertificate): Promise<Receiver> {
  const behaviours = new Map<string, Behaviour>()
  const received: Received[] = []
  const sockets = new Set<Duplex>()
  const watchers = new Set<() => void>()
  const server: Server = createServer(certificate, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      const path = req.url ?? '/'
      const item = {
        path,
        headers: req.headers,
        body,
        alert: JSON.parse(body.toString()) as ChangeAlert,
        atMs: Date.now(),
      }
      received.push(item)
      const behaviour = behaviours.get(path)
      if (behaviour) behaviour(res, item, req)
      else res.writeHead(200).end()
      for (const look of watchers) look()
    })
    req.on('error', () => undefined)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}`,
    port,
    received,
    behave: (path, behaviour) => behaviours.set(path, behaviour),
    waitFor: (count, { wanted = () => true, timeoutMs = 60_000 } = {}) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const matching = received.filter(wanted)
          if (matching.length < count) return
          end()
          resolve(matching)
        }
        const timer = setTimeout(() => {
          end()
          reject(
            new Error(
              `${received.filter(wanted).length} of ${count} deliveries arrived within ${timeoutMs} ms.`,
            ),
          )
        }, timeoutMs)
        const end = () => {
          clearTimeout(timer)
          watchers.delete(look)
        }
        watchers.add(look)
        look()
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether the signature of a delivery is right, by means that share nothing with the sender. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(String(headers['x-svc-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
