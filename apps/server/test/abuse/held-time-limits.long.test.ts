import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'

// Clients that never complete a head or a body. All of them wait at the same time: this file takes as long as one of
// either kind does.

const database = useDatabase()
const api = useApi(database)

const dripMs = 500

/** Sends the pieces, one each half second, for as long as the server listens. */
async function drip(socket: Socket, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, dripMs))
  }
}

/** The answer to a client that sends these pieces, and the time until its connection ends. */
async function untilClosed(pieces: Iterable<string>): Promise<{ text: string; seconds: number }> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.on('error', () => undefined)
  const startMs = performance.now()
  void drip(socket, pieces)
  await once(socket, 'close')
  return { text, seconds: (performance.now() - startMs) / 1_000 }
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece
}

/** The last answer in the text is a 408 in the shape of every error. */
function expectTimeout(text: string): void {
  const answer = text.slice(text.lastIndexOf('HTTP/1.1 '))
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer.match(/^X-Request-Id: req_\w{20}\r$/gim)).toHaveLength(1)
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    error: 'request_timeout',
    status: 408,
  })
}

const line = 'GET /v1/prices HTTP/1.1\r\nHost: x\r\n'
const clients: [what: string, pieces: Iterable<string>][] = [
  ['half a first line', ['GET /v1/pri']],
  ['a head without its end', [line]],
  ['a head without its last line feed', [`${line}\r`]],
  ['a header that comes byte by byte', [line, 'X-Slow: ', ...Array<string>(60).fill('a')]],
  ['a header each half second', [line, ...Array<string>(60).fill('X-Slow: a\r\n')]],
  ['a good request, then half of one', [`GET /health HTTP/1.1\r\nHost: x\r\n\r\n${line}`]],
]

describe.concurrent('the server answers 408 after about ten seconds, and ends the connection, for', () => {
  test.each(clients)('%s', { timeout: 20_000 }, async (_what, pieces) => {
    const { text, seconds } = await untilClosed(pieces)
    expect(seconds).toBeGreaterThan(9)
    expect(seconds).toBeLessThan(15)
    expectTimeout(text)
  })

  test.each<[string, Iterable<string>]>([
    ['nothing at all', []],
    ['empty lines without end', endless('\r\n')],
  ])('%s', { timeout: 20_000 }, async (_what, pieces) => {
    const { text, seconds } = await untilClosed(pieces)
    expect(seconds).toBeLessThan(15)
    expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/)
  })

  test('and meanwhile everybody else at once', { timeout: 20_000 }, async () => {
    for (let second = 0; second < 11; second += 1) {
      const startMs = performance.now()
      const answer = await fetch(`${api.url}/health`)
      expect(answer.status).toBe(200)
      expect(performance.now() - startMs).toBeLessThan(1_000)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  })
})

describe.concurrent('the server ends the connection after about thirty seconds, for', () => {
  const half = '{"url":"https://'
  const byLength = 'Content-Length: 1000\r\n\r\n'
  const inChunks = 'Transfer-Encoding: chunked\r\n\r\n'

  /** Sends these pieces behind a head whose key is good: with any other the answer does not wait for the body. */
  async function sendBody(pieces: Iterable<string>): Promise<string> {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const head = `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const { text, seconds } = await untilClosed([head, ...pieces])
    expect(seconds).toBeGreaterThan(29)
    expect(seconds).toBeLessThan(35)
    return text
  }

  test.each<[string, Iterable<string>]>([
    ['a body that comes byte by byte', [byLength, half, ...Array<string>(80).fill('a')]],
    ['a chunk each half second', [inChunks, ...Array<string>(80).fill('1\r\na\r\n')]],
  ])('%s, and answers 408', { timeout: 45_000 }, async (_what, pieces) => {
    expectTimeout(await sendBody(pieces))
  })

  // A connection on which nothing comes has thirty seconds too: whichever is over first.
  test.each<[string, Iterable<string>]>([
    ['a body that does not come', [byLength]],
    ['half a body', [byLength, half]],
    ['chunks without the last one', [inChunks, `10\r\n${half}\r\n`]],
  ])('%s, and answers 408 or nothing', { timeout: 45_000 }, async (_what, pieces) => {
    const text = await sendBody(pieces)
    if (text !== '') expectTimeout(text)
  })
})
