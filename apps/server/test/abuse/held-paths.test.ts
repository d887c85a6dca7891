import { beforeAll, describe, expect, test } from 'vitest'
import { loadContract } from '../../src/platform/contract.ts'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, head, type RawAnswer } from '../support/raw-http.ts'
import { usageOf } from '../support/fixtures.ts'

// Undocumented paths, queries and methods: a known answer, never a failure of ours, and no unit for a refusal. The rows
// are sent together on one connection, and each also shows what it leaves to the next.

const database = useDatabase()
const plain = useApi(database, { takesLongWay: true })
const fast = useApi(database)
const { operations } = await loadContract()

let customer: Customer
beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

const notFound = [
  ...[
    '/v1',
    '/v1/',
    '/v1/prices/',
    '/v1//prices',
    '//v1/prices',
    '///v1/prices',
    '/v1/prices//',
    '/./v1/prices',
  ],
  ...[
    '/v1/./prices',
    '/v1/x/../prices',
    '/v1/../v1/prices',
    '/v1/prices/.',
    '/v1/prices/..',
    '/..;/v1/prices',
  ],
  ...['/v1/..;/prices', '/v1/prices;x=1', '/v1/prices;', '/v1%2Fprices', '/v1%2fprices', '/%2Fv1/prices'],
  ...[
    '/v1%5Cprices',
    '/v1\\prices',
    '/v1/price%73',
    '/%761/prices',
    '/v1/%70rices',
    '/v1/prices%20',
    '/v1/prices%00',
  ],
  ...['/v1/prices%0a', '/v1/prices%0d%0aX: y', '/v1/prices.json', '/v1/prices.', '/v1/prices~', '/V1/prices'],
  ...[
    '/v1/Prices',
    '/v1/PRICES',
    '/v1/%zz',
    '/%',
    '/%%',
    '/%c0%af',
    '/%ff',
    '/%ed%a0%80',
    '/%u0041',
    '/v1/prices/1',
  ],
  ...[
    '/v1/usage/today',
    '/v1/webhooks/',
    '/v1/webhooks/a/b',
    '/v2/prices',
    '/v1/prices*',
    '/*',
    '/v1/health',
  ],
  ...[
    '/metrics',
    '/live',
    '/ready',
    '/.env',
    '/.git/config',
    '/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/admin',
  ],
  ...[
    '/v1/__proto__',
    '/__proto__',
    '/constructor',
    '/v1/constructor',
    '/v1/toString',
    '/v1/undefined',
    '/v1/null',
  ],
].filter((path) => !path.includes(' '))

const badQueries = [
  ...[
    'limit=0',
    'limit=-1',
    'limit=501',
    'limit=1e2',
    'limit=0x10',
    'limit=%2B5',
    'limit=NaN',
    'limit=',
    'limit',
  ],
  ...[
    'limit=1&limit=1',
    'limit=1&lim%69t=1',
    'vendor[]=a',
    'vendor[0]=a',
    'vendor%5B%5D=a',
    'a[b][c]=d',
    '__proto__=x',
  ],
  ...[
    '__proto__[x]=y',
    'constructor[prototype][x]=y',
    'vendor=%C0%AF',
    'vendor=%ED%A0%80',
    'vendor=%F4%90%80%80',
  ],
  ...[
    'vendor=%FF',
    'vendor=%00',
    'vendor=a%00',
    'vendor=%zz',
    'vendor=%',
    '%00=1',
    '%=1',
    '=',
    '=1',
    '?vendor=a',
  ],
  ...[
    'cursor=x',
    'cursor=',
    'cursor=e30',
    'since=yesterday',
    'since=1',
    'since=2026-02-30T00:00:00Z',
    'nothing=1',
  ],
  ...[
    'vendor=a;limit=1&x',
    'VENDOR=a',
    'Limit=1',
    ' vendor=a',
    `vendor=${'a'.repeat(257)}`,
    `${'x'.repeat(9_000)}=1`,
  ],
].map((query) => query.replaceAll(' ', '+'))

const goodQueries = [
  ...[
    '',
    '&',
    '&&limit=1&&',
    'vendor=a&',
    'vend%6Fr=a',
    'vendor=%C3%A9',
    'vendor=a+b',
    'vendor=a=b',
    'vendor=a;b',
  ],
  ...[
    'vendor=__proto__',
    'vendor=constructor',
    "vendor='%20or%201=1",
    'vendor=%2e%2e%2f',
    'limit=500',
    'limit=%31',
  ],
]

/** The answers of one connection to requests with the key, in their order. */
async function ask(url: string, lines: readonly string[]): Promise<RawAnswer[]> {
  const key = `Authorization: Bearer ${customer.key}`
  const answers = await exchange(
    url,
    lines.map((line) => head(line, key)).join('') + head('GET /health', 'Connection: close'),
  )
  expect(answers).toHaveLength(lines.length + 1)
  return answers.slice(0, -1)
}

/** The lines with another answer. */
const others = (lines: readonly string[], answers: readonly RawAnswer[], status: number, error?: string) =>
  lines.filter((_, n) => {
    const answer = answers[n]
    const hasId = /^req_\w{20}$/.test(answer?.headers.get('x-request-id') ?? '')
    const isIt = error === undefined || (answer?.body as { error?: string } | undefined)?.error === error
    return answer?.status !== status || !hasId || !isIt
  })

/** Few at a time: this is about each, and not about how many come at once. */
async function askAll(url: string, lines: readonly string[]): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (let n = 0; n < lines.length; n += 6) answers.push(...(await ask(url, lines.slice(n, n + 6))))
  return answers
}

describe.each([
  ['step by step', plain],
  ['recognised', fast],
] as const)('%s', (_way, api) => {
  const used = async () => (await usageOf(api, customer)).metered_total
  beforeAll(async () => {
    customer = await createCustomer(database.db, { plan: 'developer' })
  })

  test(`${notFound.length} paths beside those of the contract are 404 and free`, async () => {
    const before = await used()
    const lines = notFound.map((path) => `GET ${path}`)
    expect(others(lines, await askAll(api.url, lines), 404, 'not_found')).toEqual([])
    expect(await used()).toBe(before)
  })

  test(`${badQueries.length} queries are 400 and free`, async () => {
    const before = await used()
    const lines = badQueries.map((query) => `GET /v1/prices?${query}`)
    expect(others(lines, await askAll(api.url, lines), 400, 'invalid_request')).toEqual([])
    expect(await used()).toBe(before)
  })

  test(`${goodQueries.length} queries are 200, a unit each`, async () => {
    const before = await used()
    const lines = goodQueries.map((query) => `GET /v1/prices?${query}`)
    expect(others(lines, await askAll(api.url, lines), 200)).toEqual([])
    expect(await used()).toBe(before + lines.length)
  })

  test('methods that a path does not have are 405 with those that it has, and free', async () => {
    const before = await used()
    const paths = new Map<string, Set<string>>()
    for (const { path, method } of operations) {
      const concrete = path.replaceAll(/\{\w+\}/g, 'wh_none')
      paths.set(concrete, (paths.get(concrete) ?? new Set<string>()).add(method))
    }
    const methods = [
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'LOCK',
      'QUERY',
      'GET',
    ]
    const lines = [...paths].flatMap(([path, has]) =>
      methods.filter((method) => !has.has(method)).map((method) => `${method} ${path}`),
    )
    const answers = await askAll(api.url, lines)
    expect(others(lines, answers, 405, 'method_not_allowed')).toEqual([])
    for (const [n, line] of lines.entries()) {
      const allowed = answers[n]?.headers.get('allow')?.split(', ') ?? []
      expect(allowed.length, line).toBeGreaterThan(0)
      expect(allowed, line).not.toContain(line.split(' ')[0])
    }
    expect(await used()).toBe(before)
  })

  test('nothing of it was a failure of ours', () => {
    expect(api.log.filter((line) => /"level":(50|60)|"status":5\d\d/.test(line))).toEqual([])
  })
})
