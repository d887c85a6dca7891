import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, type RawAnswer } from '../support/raw-http.ts'
import { usageOf } from '../support/fixtures.ts'

// The end of one request and the beginning of the next, stated in every wrong way. Input that is not HTTP gets one
// answer in the shape of every other error and the end of the connection. HTTP leaves the connection to the next
// request.

const database = useDatabase()
const plain = useApi(database, { takesLongWay: true })
const fast = useApi(database)

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

const hook = JSON.stringify({ url: 'https://hooks.acme.example/x', secret: 'sixteen characters' })
const last = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const next = 'GET /v1/prices?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'

/** The head of a request for a list of prices, with these lines, and the text after it. */
const get =
  (lines: string, rest = '') =>
  (key: string) =>
    `GET /v1/prices?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${lines}\r\n${rest}`
/** A new webhook, framed as these lines and this body have it. */
const post = (lines: string, body: string) => (key: string) =>
  `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n${body}`
const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
const chunked = (body: string) => post('Transfer-Encoding: chunked', body)
const after = (bytes: (key: string) => string) => (key: string) => bytes(key) + last
const literally = (text: string) => () => text

type Case = [what: string, statuses: number[], units: number, bytes: (key: string) => string]

const noHttp: Case[] = [
  ['nothing but lines', [400], 0, literally('\r\n\r\n\r\nx\r\n\r\n')],
  ['garbage', [400], 0, literally('garbage\r\n\r\n')],
  ['NUL', [400], 0, literally('\0'.repeat(64))],
  ['every byte there is', [400], 0, literally(String.fromCharCode(...Array(256).keys()))],
  ['the beginning of TLS', [400], 0, literally('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(517, '\xab'))],
  ['the beginning of HTTP/2', [400], 0, literally('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0')],
  ['the beginning of SSH', [400], 0, literally('SSH-2.0-OpenSSH_9.6\r\n')],
  ['the PROXY protocol', [400], 0, literally(`PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${last}`)],
  ['no version', [400], 0, literally('GET /health \r\nHost: x\r\n\r\n')],
  ['another protocol', [400], 0, literally('GET /health ICY/1.0\r\nHost: x\r\n\r\n')],
  ['a version with three numbers', [400], 0, literally('GET /health HTTP/1.1.1\r\nHost: x\r\n\r\n')],
  ['a version in lower case', [400], 0, literally('GET /health http/1.1\r\nHost: x\r\n\r\n')],
  ['a method that nobody knows', [400], 0, literally('FETCH /health HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a method of 10,000 letters', [400], 0, literally(`${'G'.repeat(10_000)} / HTTP/1.1\r\nHost: x\r\n\r\n`)],
  ['a tab before the target', [400], 0, literally('GET\t/health HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a space before the method', [400], 0, literally(' GET /health HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a NUL in the target', [400], 0, literally('GET /health\0 HTTP/1.1\r\nHost: x\r\n\r\n')],
  ['a line feed alone', [400], 0, get('X-A: b\nX-C: d\r\n')],
  ['a carriage return alone', [400], 0, get('X-A: b\rX-C: d\r\n')],
  ['a carriage return before the key', [400], 0, get('X-A: b\r\r\n')],
  ['a NUL in a value', [400], 0, get('X-A: b\0c\r\n')],
  ['a NUL in a name', [400], 0, get('X\0A: b\r\n')],
  ['a control character in a value', [400], 0, get('X-A: b\x01c\r\n')],
  ['DEL in a value', [400], 0, get('X-A: b\x7fc\r\n')],
  ['a folded line', [400], 0, get('X-A: b\r\n c\r\n')],
  ['a first line that is folded', [400], 0, literally('GET /health HTTP/1.1\r\n Host: x\r\n\r\n')],
  ['a name with a space', [400], 0, get('X A: b\r\n')],
  ['a space before the colon', [400], 0, get('X-A : b\r\n')],
  ['a name that is none', [400], 0, get(': b\r\n')],
  ['a line without a colon', [400], 0, get('X-A\r\n')],
  ['a name in brackets', [400], 0, get('X[A]: b\r\n')],
  ['a name beyond ASCII', [400], 0, get('X-Ä: b\r\n')],
  ['a length that is no number', [400], 0, post('Content-Length: x', hook)],
  ['a length in hex', [400], 0, post('Content-Length: 0x4e', hook)],
  ['a length with a sign', [400], 0, post(`Content-Length: +${hook.length}`, hook)],
  ['a length below 0', [400], 0, post('Content-Length: -1', hook)],
  ['a length with a dot', [400], 0, post(`Content-Length: ${hook.length}.0`, hook)],
  ['a length in two words', [400], 0, post('Content-Length: 7 8', hook)],
  ['an empty length', [400], 0, post('Content-Length:', hook)],
  ['a length beyond 64 bits', [400], 0, post('Content-Length: 18446744073709551616', hook)],
  ['a length of 300 digits', [400], 0, post(`Content-Length: ${'9'.repeat(300)}`, hook)],
  ['two lengths', [400], 0, post(`Content-Length: ${hook.length}\r\nContent-Length: 0`, hook)],
  ['the same length twice', [400], 0, post(`Content-Length: ${hook.length}\r\nContent-Length: ${hook.length}`, hook)],
  ['a list of lengths', [400], 0, post(`Content-Length: ${hook.length}, ${hook.length}`, hook)],
  ['a length and chunks', [400], 0, post(`Content-Length: ${hook.length}\r\nTransfer-Encoding: chunked`, chunk(hook) + chunk(''))],
  ['chunks and a length', [400], 0, post('Transfer-Encoding: chunked\r\nContent-Length: 3', chunk(hook) + chunk(''))],
  ['chunks, spelled with a tab', [400], 0, post(`Transfer-Encoding:\tchunked\r\nContent-Length: ${hook.length}`, hook)],
  ['chunks twice', [400], 0, post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', chunk(hook) + chunk(''))],
  ['chunks before something else', [400], 0, post('Transfer-Encoding: chunked, identity', chunk(hook) + chunk(''))],
  ['a chunk whose size is no number', [400], 0, chunked(`x\r\n${hook}\r\n0\r\n\r\n`)],
  ['a chunk of a size below 0', [400], 0, chunked(`-1\r\n${hook}\r\n0\r\n\r\n`)],
  ['a chunk of a size with 0x', [400], 0, chunked(`0x${chunk(hook)}${chunk('')}`)],
  ['a chunk of a size beyond 64 bits', [400], 0, chunked(`10000000000000000\r\n${hook}`)],
  ['a chunk that is longer than it says', [400], 0, chunked(`5\r\n${hook}\r\n0\r\n\r\n`)],
  ['a chunk without its line', [400], 0, chunked(`\r\n${hook}\r\n0\r\n\r\n`)],
  ['a chunk size that ends in a line feed alone', [400], 0, chunked(`${hook.length.toString(16)}\n${hook}\r\n0\r\n\r\n`)],
  ['an extension with a line feed in it', [400], 0, chunked(`${chunk(hook, ';a=\n')}${chunk('')}`)],
  ['a length behind the chunks', [400], 0, chunked(`${chunk(hook)}0\r\nContent-Length: 5\r\n\r\n`)],
  ['a header of 1 MiB', [431], 0, get(`X-Long: ${'x'.repeat(1_048_576)}\r\n`)],
  ['a name of 1 MiB', [431], 0, get(`${'x'.repeat(1_048_576)}: a\r\n`)],
  ['a target of 1 MiB', [431], 0, literally(`GET /${'x'.repeat(1_048_576)} HTTP/1.1\r\nHost: x\r\n\r\n`)],
] // prettier-ignore

const oddHttp: Case[] = [
  ['a line without a version, which is HTTP/0.9', [200], 0, literally('GET /health\r\n\r\n')],
  ['empty lines before the first', [200, 200], 1, after((key) => `\r\n\r\n${get('')(key)}`)],
  ['no space after a colon', [200, 200], 1, after(get('X-A:b\r\n'))],
  ['an empty value', [200, 200], 1, after(get('X-A:\r\n'))],
  ['spaces around a value', [200, 200], 1, after(get('X-A:  \t b \t \r\n'))],
  ['bytes beyond ASCII in a value', [200, 200], 1, after(get('X-A: \xff\xfe\xe4\r\n'))],
  ['a name of every sign that is allowed', [200, 200], 1, after(get("!#$%&'*+-.^_`|~0Az: b\r\n"))],
  ['a length with zeros before it', [201, 200], 1, after(post(`Content-Length: 000${hook.length}`, hook))],
  ['chunks', [201, 200], 1, after(chunked(chunk(hook) + chunk('')))],
  ['a chunk for each byte', [201, 200], 1, after(chunked([...hook].map((byte) => chunk(byte)).join('') + chunk('')))],
  ['chunks with a size in capitals and zeros', [201, 200], 1, after(chunked(`000${hook.length.toString(16).toUpperCase()}\r\n${hook}\r\n000\r\n\r\n`))],
  ['chunk extensions', [201, 200], 1, after(chunked(`${chunk(hook, ';a=b;c="d e"')}${chunk('', ';last')}`))],
  ['trailers', [201, 200], 1, after(chunked(`${chunk(hook)}0\r\nX-Trailer: a\r\nAuthorization: Bearer x\r\n\r\n`))],
  ['an empty body in chunks', [400, 200], 0, after(chunked(chunk('')))],
  ['an empty body by its length', [400, 200], 0, after(post('Content-Length: 0', ''))],
  ['a body behind a list', [200, 200], 1, after(get(`Content-Length: ${hook.length}\r\n`, hook))],
  ['chunks behind a list', [200, 200], 1, after(get('Transfer-Encoding: chunked\r\n', chunk(hook) + chunk('')))],
  ['a body that looks like a request', [400, 200], 0, after((key) => post(`Content-Length: ${get('')(key).length}`, get('')(key))(key))],
  ['chunks that look like a request', [400, 200], 0, after((key) => chunked(chunk(get('')(key)) + chunk(''))(key))],
] // prettier-ignore

const bodies: Case[] = [
  ['401', [401, 200], 1, (key) => `${post(`Content-Length: ${hook.length}`, hook)('wrong')}${next}Authorization: Bearer ${key}\r\n\r\n`],
  ['404', [404, 200], 1, (key) => `POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${hook.length}\r\n\r\n${hook}${next}Authorization: Bearer ${key}\r\n\r\n`],
  ['405', [405, 200], 1, (key) => `PUT /v1/webhooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(hook)}${chunk('')}${next}Authorization: Bearer ${key}\r\n\r\n`],
  ['415', [415, 200], 1, (key) => `POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/plain\r\nContent-Length: ${hook.length}\r\n\r\n${hook}${next}Authorization: Bearer ${key}\r\n\r\n`],
] // prettier-ignore

function expectErrorShape({ status, headers, body }: RawAnswer): void {
  expect(body).toEqual({
    error: { 400: 'invalid_request', 431: 'headers_too_large' }[status],
    message: expect.any(String) as string,
    status,
  })
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('connection')).toBe('close')
}

const quickly = { timeout: 5_000 }

describe.each([
  ['step by step', plain],
  ['recognised', fast],
] as const)('%s', (_way, api) => {
  async function send([, statuses, units, bytes]: Case): Promise<RawAnswer[]> {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const answers = await exchange(api.url, Buffer.from(bytes(customer.key), 'latin1'))
    expect(answers.map(({ status }) => status)).toEqual(statuses)
    // One name: two of them would be joined here.
    for (const { headers } of answers) expect(headers.get('x-request-id')).toMatch(/^req_\w{20}$/)
    expect((await usageOf(api, customer)).metered_total).toBe(units)
    return answers
  }
  const named = (cases: Case[]) => cases.map((one): [string, Case] => [one[0], one])

  test.each(named(noHttp))('no HTTP: %s', quickly, async (_what, one) => {
    for (const answer of await send(one)) expectErrorShape(answer)
  })

  test.each(named(oddHttp))('HTTP: %s', quickly, async (_what, one) => {
    await send(one)
  })

  test.each(named(bodies))('a body that nobody reads, behind a %s', quickly, async (_what, one) => {
    await send(one)
  })
})
