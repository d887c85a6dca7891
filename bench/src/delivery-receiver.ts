import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

// The other side of `deliveries`, a process of its own: answers at once, but under /hang never.

export interface ReceiverCertificate {
  key: string
  cert: string
}

/** What is asked of it over the channel of the process. */
export type ReceiverRequest = { certificate: ReceiverCertificate } | 'report' | 'forget'

export type ReceiverAnswer =
  | { port: number }
  /** Requests since the last `forget`, and when each delivery that was answered arrived. */
  | { count: number; arrivals: [delivery: string, atMs: number][] }

let count = 0
let arrivals: [string, number][] = []

process.on('message', (request: ReceiverRequest) => {
  if (request === 'forget') {
    count = 0
    arrivals = []
    answer({ count, arrivals })
  } else if (request === 'report') {
    answer({ count, arrivals })
  } else {
    listen(request.certificate)
  }
})
process.on('disconnect', () => process.exit())

function listen(certificate: ReceiverCertificate): void {
  const server = createServer({ ...certificate, keepAliveTimeout: 60_000, requestTimeout: 0 }, (req, res) => {
    req.on('error', () => undefined)
    req.on('end', () => {
      count += 1
      if (req.url?.startsWith('/hang')) return
      arrivals.push([String(req.headers['x-svc-delivery']), Date.now()])
      res.writeHead(200, { 'content-length': 0 }).end()
    })
    req.resume()
  })
  server.listen(0, '127.0.0.1', 4_096, () => answer({ port: (server.address() as AddressInfo).port }))
}

function answer(message: ReceiverAnswer): void {
  process.send?.(message)
}
