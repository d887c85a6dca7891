import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Ratecard, type RatecardOptions } from '../../src/index.ts'

export const testKey = 'rc_live_0123456789abcdefghijABCDEF'

/** What a server saw of a request. */
export interface Seen {
  method: string
  /** Path and query, as they came. */
  target: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

/** What to answer. A number is a status with an error body of that status. */
export type Reply =
  | number
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse, request: IncomingMessage) => void)

export interface Scripted {
  url: string
  seen: Seen[]
  server: Server
  client: (options?: RatecardOptions) => Ratecard
}

/** A real server on loopback that answers by script and is closed with the test. */
export async function serve(answer: (seen: Seen, count: number) => Reply): Promise<Scripted> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const target = request.url ?? ''
      const query = new URL(target, 'http://localhost').searchParams
      const body = Buffer.concat(chunks).toString()
      const one: Seen = { method: request.method ?? '', target, query, headers: request.headers, body }
      seen.push(one)
      send(answer(one, seen.length), request, response)
    })
  })
  const url = await listen(server)
  const client = (options?: RatecardOptions) => new Ratecard({ apiKey: testKey, baseUrl: url, ...options })
  return { url, seen, server, client }
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function send(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (typeof reply === 'function') return reply(response, request)
  const { status = 200, headers = {}, json, text } = typeof reply === 'number' ? errorReply(reply) : reply
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
  response.end(text ?? JSON.stringify(json))
}

function errorReply(status: number) {
  return {
    status,
    headers: {},
    text: undefined,
    json: { error: 'some_code', message: `Status ${status}.`, status },
  }
}

/** A page as the service sends it. */
export function pageOf(rows: unknown[], nextCursor?: string): Reply {
  return {
    json: {
      schema_version: 1,
      data: rows,
      ...(nextCursor === undefined ? {} : { pagination: { next_cursor: nextCursor } }),
    },
  }
}

/** What a promise was rejected with. */
export async function failure<E extends Error = Error>(promise: PromiseLike<unknown>): Promise<E> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof Error)) throw new Error('It was expected to fail.')
  return outcome as E
}

/** Where a key stands, as the service says it. */
export const usage = {
  schema_version: 1,
  plan: 'developer',
  day: '2026-11-22',
  daily_quota: { limit: 10_000, used: 3, remaining: 9_997, reset_at: '2026-11-23T00:00:00.000000Z' },
  endpoints: { prices: 1, changes: 1, webhooks: 1 },
  metered_total: 3,
  topup: { remaining: 0, packs: [], purchase_url: 'https://api.ratecard.example/plans' },
}

export const rateLimitHeaders = {
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': '7',
  'x-ratelimit-reset': '1795305600',
}
