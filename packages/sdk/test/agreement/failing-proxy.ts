import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from './target.ts'

/** What happens to a request on its way. */
type Accident = { status: number; headers?: Record<string, string>; body?: string } | 'reset'

export interface FailingProxy {
  url: string
  /** Happens to the next requests, one each. */
  failNext: (...accidents: Accident[]) => void
  /** Method and path of every request, with what happened to it. */
  seen: string[]
  close: () => Promise<void>
}

/** A server in front of a target that lets requests through, or fails them: for both targets alike. */
export async function startProxy(target: Target): Promise<FailingProxy> {
  const accidents: Accident[] = []
  const seen: string[] = []
  const server = createServer((req, res) => {
    void (async () => {
      const body = await readBody(req)
      const { method = '', url = '' } = req
      const accident = accidents.shift()
      if (accident === 'reset') {
        seen.push(`${method} ${url} reset`)
        req.socket.destroy()
        return
      }
      if (accident) {
        seen.push(`${method} ${url} ${accident.status}`)
        res.writeHead(accident.status, accident.headers).end(accident.body)
        return
      }
      const response = await target.fetch(url, {
        method,
        headers: pick(req.headers, ['authorization', 'content-type']),
        ...(body.length > 0 && { body }),
      })
      seen.push(`${method} ${url} ${response.status}`)
      const headers = Array.from(response.headers).filter(
        ([name]) => !/^(content-(encoding|length)|transfer-encoding|connection|keep-alive)$/.test(name),
      )
      res.writeHead(response.status, Object.fromEntries(headers)).end(await response.text())
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failNext: (...more) => void accidents.push(...more),
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function pick(headers: IncomingMessage['headers'], names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
