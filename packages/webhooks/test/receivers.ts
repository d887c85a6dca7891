import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect } from 'vitest'
import { createTestRequestSync } from '../src/sync.ts'
import { secret } from './builds.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Ends something after the test. */
export function afterwards(close: () => unknown): void {
  closing.push(close)
}

/** Starts a server on loopback; it ends with the test. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  afterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ratecard`
}

export const signed = () => createTestRequestSync({ secret })

/** Posts a signed alert, or the given body instead. */
export async function post(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; error?: string; text: string }> {
  const { method, headers, body } = signed()
  const response = await fetch(url, { method, headers, body, ...init })
  const text = await response.text()
  const error = response.headers.get('content-type')?.includes('json')
    ? (JSON.parse(text) as { error: string }).error
    : undefined
  return { status: response.status, text, ...(error && { error }) }
}

/** Sends raw text on a socket and waits until the answer's end or the connection's. */
export async function raw(url: string, ...parts: string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return answer
}

/** The duties of every receiver, whatever the framework. `respond` sends a request to it. */
export const commonCases: [name: string, init: () => RequestInit, status: number, error?: string][] = [
  ['a wrong signature', () => ({ body: signed().body + ' ' }), 401, 'signature_mismatch'],
  ['no signature', () => ({ headers: { 'content-type': 'application/json' } }), 401, 'missing_signature'],
  [
    'a malformed signature',
    () => ({ headers: { 'x-svc-signature': 'sha256=' } }),
    401,
    'malformed_signature',
  ],
  ['a body that is too large', () => ({ body: 'x'.repeat(2 ** 20 + 1) }), 413, 'body_too_large'],
  ['an old alert', () => createTestRequestSync({ secret, timestamp: 0 }), 400, 'timestamp_too_old'],
  ['no JSON', () => createTestRequestSync({ secret, timestamp: 'x' }), 400, 'invalid_payload'],
  ['a GET', () => ({ method: 'GET', body: null }), 405, 'method_not_allowed'],
  ['a PUT', () => ({ method: 'PUT' }), 405, 'method_not_allowed'],
  ['no body at all', () => ({ body: null }), 401, 'signature_mismatch'],
]

/** Runs the common cases against an address; the handler behind it counts. */
export async function expectCommonCases(url: string, handled: () => number): Promise<void> {
  for (const [name, init, status, error] of commonCases) {
    const answer = await post(url, init())
    expect({ name, status: answer.status, error: answer.error }).toEqual({ name, status, error })
    expect(handled(), name).toBe(0)
  }
  expect(await post(url)).toEqual({ status: 204, text: '' })
  expect(handled()).toBe(1)
  // Without a content type, and with one that no parser knows.
  const { headers, body } = signed()
  for (const type of ['text/plain', 'application/x-unknown', 'application/json; charset=latin1'])
    expect((await post(url, { body, headers: { ...headers, 'content-type': type } })).status).toBe(204)
  const bare = { 'x-svc-signature': headers['x-svc-signature'] ?? '' }
  expect((await post(url, { body: Buffer.from(body), headers: bare })).status).toBe(204)
}
