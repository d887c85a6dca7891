import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { takeJobs } from './job.ts'

// The other side of `deliveries`, a process of its own: answers at once, but under /hang never.

export interface ReceiverJob {
  /** Listens, with this one. */
  certificate?: { key: string; cert: string }
}

export interface Received {
  port: number
  /** When each delivery that was answered since the last job arrived. */
  arrivals: [delivery: string, atMs: number][]
}

let port = 0
const arrivals: Received['arrivals'] = []

takeJobs(async ({ certificate }: ReceiverJob): Promise<Received> => {
  if (certificate) port = await listen(certificate)
  return { port, arrivals: arrivals.splice(0) }
})

async function listen(certificate: { key: string; cert: string }): Promise<number> {
  const server = createServer({ ...certificate, keepAliveTimeout: 60_000, requestTimeout: 0 }, (req, res) => {
    req.on('error', () => undefined)
    req.on('end', () => {
      if (req.url?.startsWith('/hang')) return
      arrivals.push([String(req.headers['x-svc-delivery']), Date.now()])
      res.writeHead(200, { 'content-length': 0 }).end()
    })
    req.resume()
  })
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
