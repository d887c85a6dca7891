import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '../../src/features/accounts/api-key.ts'
import { useApi, type TestApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange } from '../support/raw-http.ts'
import { usageOf } from '../support/fixtures.ts'

// Heads that no client sends, on a server that recognises requests and on one that does not. None of them gets a page
// without a good key or without a unit, and nothing in a body is taken for a request.

const database = useDatabase()
const plain = useApi(database, { takesLongWay: true })
const fast = useApi(database)

beforeAll(async () => {
  const records = Array.from({ length: 5 }, (_, n) => priceRecord({ resource_id: `acme:${n}` }))
  await storePrices(database.db, records)
})

const target = '/v1/prices?limit=1'
const stranger = generateApiKey()

interface Parts {
  line?: string
  /** Instead of the one Authorization header with the key. */
  authorization?: string[]
  headers?: string[]
  body?: string
  lineEnd?: string
}

/** A request that asks for the connection to be closed. */
function request(key: string, { line, authorization, headers, body = '', lineEnd = '\r\n' }: Parts): string {
  const lines = [
    line ?? `GET ${target} HTTP/1.1`,
    'Host: ratecard.example',
    ...(authorization ?? [`Authorization: Bearer ${key}`]),
    'Connection: close',
    ...(headers ?? []),
  ]
  return `${lines.join(lineEnd)}${lineEnd}${lineEnd}${body}`
}

const smuggled = (key: string) => request(key, { headers: ['X-Smuggled: 1'] })

const cases: [what: string, statuses: number[], parts: (key: string) => Parts][] = [
  // The credentials.
  ['one good key', [200], () => ({})],
  ['no key', [401], () => ({ authorization: [] })],
  ['a made-up key', [401], () => ({ authorization: [`Authorization: Bearer ${stranger}`] })],
  ['the good key, then another', [401], (key) => ({ authorization: [`Authorization: Bearer ${key}`, `Authorization: Bearer ${stranger}`] })],
  ['another key, then the good one', [401], (key) => ({ authorization: [`Authorization: Bearer ${stranger}`, `Authorization: Bearer ${key}`] })],
  ['the good key twice', [401], (key) => ({ authorization: [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`] })],
  ['the good key and an empty header', [401], (key) => ({ authorization: [`Authorization: Bearer ${key}`, 'Authorization:'] })],
  ['two schemes', [401], (key) => ({ authorization: [`Authorization: Basic eDp5`, `Authorization: Bearer ${key}`] })],
  ['keys joined by a comma', [401], (key) => ({ authorization: [`Authorization: Bearer ${key}, Bearer ${key}`] })],
  ['a tab after the scheme', [401], (key) => ({ authorization: [`Authorization: Bearer\t${key}`] })],
  ['a header that is folded', [400], (key) => ({ authorization: ['Authorization: Bearer', ` ${key}`] })],
  ['a space before the colon', [400], (key) => ({ authorization: [`Authorization : Bearer ${key}`] })],
  ['a header of another case', [200], (key) => ({ authorization: [`aUTHORIZATION: Bearer ${key}`] })],
  ['a key in the other case', [401], (key) => ({ authorization: [`Authorization: Bearer ${key.toUpperCase()}`] })],
  ['the key in the query alone', [401], (key) => ({ line: `GET ${target}&key=${key} HTTP/1.1`, authorization: [] })],
  ['the key as a user of the target', [401], (key) => ({ line: `GET http://${key}@ratecard.example${target} HTTP/1.1`, authorization: [] })],
  ['the key for a proxy', [401], (key) => ({ authorization: [`Proxy-Authorization: Bearer ${key}`] })],
  ['the key as a trailing header of a folded one', [400], (key) => ({ authorization: ['X-Long: a', `\tAuthorization: Bearer ${key}`] })],

  // The request line.
  ['the absolute form', [200], () => ({ line: `GET http://ratecard.example${target} HTTP/1.1` })],
  ['the absolute form without a good key', [401], () => ({ line: `GET http://ratecard.example${target} HTTP/1.1`, authorization: [`Authorization: Bearer ${stranger}`] })],
  ['HEAD', [405], () => ({ line: `HEAD ${target} HTTP/1.1` })],
  ['OPTIONS', [405], () => ({ line: `OPTIONS ${target} HTTP/1.1` })],
  ['a method that a header overrides', [200], () => ({ headers: ['X-HTTP-Method-Override: DELETE', 'X-Method-Override: POST'] })],
  ['If-None-Match: *', [200], () => ({ headers: ['If-None-Match: *'] })],
  ['another case of the path', [404], () => ({ line: 'GET /V1/prices?limit=1 HTTP/1.1' })],
  ['two slashes', [404], () => ({ line: 'GET //v1/prices?limit=1 HTTP/1.1' })],
  ['an encoded slash', [404], () => ({ line: 'GET /v1%2Fprices?limit=1 HTTP/1.1' })],
  ['a fragment', [400], () => ({ line: `GET ${target}#x HTTP/1.1` })],
  ['HTTP/1.0', [200], () => ({ line: `GET ${target} HTTP/1.0` })],

  // How it is framed.
  ['an expectation', [200], () => ({ headers: ['Expect: miracles'] })],
  ['an upgrade to HTTP/2', [200], () => ({ headers: ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'] })],
  ['an upgrade to WebSocket', [200], () => ({ headers: ['Upgrade: websocket'] })],
  ['lines that end in a line feed alone', [400], () => ({ lineEnd: '\n' })],
  ['a length with a sign', [400], (key) => ({ headers: ['Content-Length: +5'], body: smuggled(key) })],
  ['a length and chunks', [400], (key) => ({ headers: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: `0\r\n\r\n${smuggled(key)}` })],
  ['chunks and a length', [400], (key) => ({ headers: ['Transfer-Encoding: chunked', 'Content-Length: 5'], body: `0\r\n\r\n${smuggled(key)}` })],
  ['two lengths', [400], (key) => ({ headers: ['Content-Length: 0', `Content-Length: ${smuggled(key).length}`], body: smuggled(key) })],
  ['a list of lengths', [400], (key) => ({ headers: ['Content-Length: 0, 0'], body: smuggled(key) })],
  ['a request as its body', [200], (key) => ({ headers: [`Content-Length: ${smuggled(key).length}`], body: smuggled(key) })],
  ['a request as its chunk', [200], (key) => ({ headers: ['Transfer-Encoding: chunked'], body: `${smuggled(key).length.toString(16)}\r\n${smuggled(key)}\r\n0\r\n\r\n` })],
] // prettier-ignore

/** A server's answers to these bytes from a new customer, three times, and the units that it took for them. */
async function outcomeOf(api: TestApi, parts: (key: string) => Parts) {
  const customer = await createCustomer(database.db, { plan: 'developer' })
  // The page is cached, and its target known: a head that is not too odd is recognised.
  await exchange(api.url, request(customer.key, {}))
  const rounds: number[][] = []
  for (let round = 0; round < 3; round += 1) {
    const answers = await exchange(api.url, request(customer.key, parts(customer.key)))
    rounds.push(answers.map(({ status }) => status))
    for (const { status, text } of answers) {
      if (status !== 200) expect(text).not.toContain('"data"')
    }
  }
  const { metered_total: units } = await usageOf(api, customer)
  return { rounds, units: units - 1 }
}

describe.each([
  ['step by step', plain],
  ['recognised', fast],
] as const)('%s', (_way, api) => {
  test.each(cases)('%s: %j', async (_what, statuses, parts) => {
    const served = statuses.filter((status) => status === 200).length
    expect(await outcomeOf(api, parts)).toEqual({
      rounds: [statuses, statuses, statuses],
      units: 3 * served,
    })
  })
})

test('the requests that are usual are recognised here', async () => {
  const before = (await fast.metrics.requestsRecognised.get()).values[0]?.value ?? 0
  await outcomeOf(fast, () => ({}))
  const after = (await fast.metrics.requestsRecognised.get()).values[0]?.value ?? 0
  expect(after - before).toBeGreaterThanOrEqual(3)
})
