import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApi, type TestApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { changeFile, publish } from '../support/fixtures.ts'

// Every Accept-Encoding and every odd header, to a server that recognises requests and to one that does not: a
// client sees no difference, the first time or later.

const database = useDatabase()
const plain = useApi(database, { takesLongWay: true })
const fast = useApi(database)

beforeAll(async () => {
  const records = Array.from({ length: 30 }, (_, n) => priceRecord({ resource_id: `acme:${n}` }))
  await storePrices(database.db, records)
  await publish(database.db, ...Array.from({ length: 10 }, () => changeFile()))
})

const targets = ['/v1/prices', '/v1/prices?vendor=none', '/v1/changes', '/v1/prices?limit=0']

const encodings = [
  ...[
    'gzip',
    'br',
    'deflate',
    'identity',
    'zstd',
    'compress',
    'x-gzip',
    'GZIP',
    'Br',
    '*',
    '',
    ' ',
    ',',
    ';',
  ],
  ...[
    'gzip, br',
    'br, gzip',
    'gzip,deflate',
    'deflate, gzip',
    'gzip, deflate, br',
    'gzip, deflate, br, zstd',
  ],
  ...['gzip;q=0', 'br;q=0', '*;q=0', 'identity;q=0', 'gzip;q=0, *', '*, gzip;q=0', 'identity;q=0, *;q=0'],
  ...['gzip;q=1.0, br;q=0.5', 'br;q=0.1, gzip;q=0.9', 'gzip; q=0.5', 'gzip;q=2', 'gzip;q=-1', 'gzip;q=x'],
  ...['gzip;q=0.0001', 'gzip;level=9', 'gzip gzip', 'gzip,,br', ', gzip', 'gzip,', '\tgzip', 'gzip\t,\tbr'],
  ...['br,br,br', 'identity, gzip', 'deflate;q=1, gzip;q=0.1', 'nothing', '"gzip"', 'gzip=1', '__proto__'],
  ...['constructor', 'gzip\u00e4', `gzip${', x'.repeat(500)}`, `${'gzip, '.repeat(500)}br`],
]

const headers = [
  ...[
    'Accept: text/html',
    'Accept: application/json;q=0',
    'Accept:',
    'Accept-Charset: utf-16',
    'Accept-Language: xx',
  ],
  ...['Range: bytes=0-10', 'If-Range: "x"', 'If-None-Match: *', 'If-Match: "x"', 'If-Modified-Since: x'],
  ...[
    'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
    'Cache-Control: only-if-cached',
    'Pragma: no-cache',
  ],
  ...[
    'Connection: X-A',
    'Connection: keep-alive, Upgrade',
    'Keep-Alive: timeout=1',
    'Proxy-Connection: keep-alive',
  ],
  ...['Upgrade: h2c', 'HTTP2-Settings: AA', 'Upgrade-Insecure-Requests: 1', 'TE: trailers', 'TE: gzip'],
  ...['Trailer: X-A', 'Via: 1.1 x', 'Forwarded: for=1.2.3.4;host=evil.example', 'X-Forwarded-For: 1.2.3.4'],
  ...[
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'X-Original-URL: /v1/usage',
    'X-Rewrite-URL: /',
  ],
  ...['X-HTTP-Method-Override: POST', 'X-Request-Id: mine', 'Origin: null', 'Referer: https://evil.example/'],
  ...[
    'Cookie: a=b',
    'Expect: nothing',
    'Content-Length: 0',
    'Content-Type: text/plain',
    'Content-Encoding: gzip',
  ],
  ...[
    'Date: x',
    'From: a@b.example',
    'Max-Forwards: 0',
    'Warning: x',
    'Sec-Fetch-Site: cross-site',
    '__proto__: x',
  ],
  ...['constructor: x', `X-Long: ${'x'.repeat(4_096)}`, 'Accept-Encoding: gzip\r\nAccept-Encoding: br'],
]

/** An answer without the headers that differ between any two answers. */
interface Shape {
  status: number
  headers: Record<string, string>
  body: string
}

/** The answers to requests, one after the other on one connection; null where it was closed before. */
async function converse(api: TestApi, requests: readonly string[]): Promise<(Shape | null)[]> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  let bytes = Buffer.alloc(0)
  let isClosed = false
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  const answers: (Shape | null)[] = []
  for (const request of requests) {
    socket.write(request, 'latin1')
    for (;;) {
      const answer = readAnswer(bytes)
      if (answer) {
        bytes = bytes.subarray(answer.length)
        answers.push(answer.shape)
        break
      }
      if (isClosed) {
        answers.push(null)
        break
      }
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
    }
  }
  socket.destroy()
  return answers
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

function readAnswer(bytes: Buffer): { shape: Shape; length: number } | null {
  const start = bytes.indexOf('\r\n\r\n') + 4
  if (start === 3) return null
  const [line = '', ...lines] = bytes.subarray(0, start - 4).toString('latin1').split('\r\n') // prettier-ignore
  const fields = Object.fromEntries(
    lines.map((field): [string, string] => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  )
  const isChunked = fields['transfer-encoding'] === 'chunked'
  const body = isChunked
    ? readChunks(bytes, start)
    : readLength(bytes, start, Number(fields['content-length']))
  if (!body) return null
  const { 'x-request-id': _id, date: _date, 'retry-after': _seconds, ...headers } = fields
  const decode = decoders[fields['content-encoding'] ?? '']
  // The same text in the same coding may have another length: it is the text that counts.
  if (decode && headers['content-length']) headers['content-length'] = 'some'
  return {
    shape: {
      status: Number(line.split(' ')[1]),
      headers,
      body: (decode ? decode(body.content) : body.content).toString(),
    },
    length: body.end,
  }
}

function readLength(bytes: Buffer, start: number, length: number) {
  const end = start + length
  return bytes.length < end ? null : { content: bytes.subarray(start, end), end }
}

function readChunks(bytes: Buffer, start: number) {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return null
    if (size === 0) return { content: Buffer.concat(chunks), end }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = end
  }
}

async function recognised({ metrics }: TestApi): Promise<number> {
  return (await metrics.requestsRecognised.get()).values[0]?.value ?? 0
}

/** A server's answers to requests with these lines, each sent twice on one connection by a new customer. */
async function answersOf(api: TestApi, target: string, lines: readonly string[]) {
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const requests = lines.flatMap((line) =>
    Array<string>(2).fill(
      `GET ${target} HTTP/1.1\r\nHost: ratecard.example\r\nAuthorization: Bearer ${key}\r\n${line}\r\n\r\n`,
    ),
  )
  const answers = await converse(api, requests)
  return lines.map((line, n) => ({ line, first: answers[2 * n], second: answers[2 * n + 1] }))
}

describe.each(targets)('%s', (target) => {
  test('is the same in every Accept-Encoding, whichever way it went', async () => {
    const lines = encodings.map((encoding) => `Accept-Encoding: ${encoding}`)
    const expected = await answersOf(plain, target, lines)
    const before = await recognised(fast)
    expect(await answersOf(fast, target, lines)).toEqual(expected)
    expect(expected.filter(({ first, second }) => !first || !second)).toEqual([])
    const isPage = expected[0]?.first?.status === 200
    if (isPage) expect((await recognised(fast)) - before).toBeGreaterThan(lines.length / 2)
  })

  test('is the same with every odd header, whichever way it went', async () => {
    const expected = await answersOf(plain, target, headers)
    expect(await answersOf(fast, target, headers)).toEqual(expected)
    expect(expected.filter(({ first, second }) => !first || !second)).toEqual([])
  })
})
