import { beforeAll, describe, expect, test } from 'vitest'
import { rotateApiKey } from '../../src/features/accounts/api-key-store.ts'
import { useApi } from '../support/api.ts'
import { createCustomer, createKey, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { Browser, linkToken, signInNew } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'
import { exchange, head, type RawAnswer } from '../support/raw-http.ts'
import { everyRow } from '../support/tenants.ts'

// A secret is shown once, to its owner. It is in no row, no line of the log, no metric and no error.

const database = useDatabase()
const fast = useApi(database)
const plain = useApi(database, { takesLongWay: true })

beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

const hook = JSON.stringify({ url: 'https://hooks.acme.example/canaryInUrl', secret: 'canaryInSecret!!' })

/** Requests with the key, or another secret, in the wrong fields. */
const requests: [what: string, bytes: (key: string) => string][] = [
  ['a request that is served', (key) => head('GET /v1/prices', `Authorization: Bearer ${key}`)],
  ['the same again, which is recognised', (key) => head('GET /v1/prices', `Authorization: Bearer ${key}`)],
  ['a key that is cut', (key) => head('GET /v1/prices', `Authorization: Bearer ${key.slice(0, -1)}`)],
  ['a key in the query', (key) => head(`GET /v1/prices?api_key=${key}`, `Authorization: Bearer ${key}`)],
  ['a key as a filter', (key) => head(`GET /v1/prices?vendor=${key}`, `Authorization: Bearer ${key}`)],
  ['a key as a limit', (key) => head(`GET /v1/prices?limit=${key}`, `Authorization: Bearer ${key}`)],
  ['a key as a cursor', (key) => head(`GET /v1/prices?cursor=${key}`, `Authorization: Bearer ${key}`)],
  ['a key in the path', (key) => head(`GET /v1/prices/${key}`, `Authorization: Bearer ${key}`)],
  ['a key as an id', (key) => head(`DELETE /v1/webhooks/${key}`, `Authorization: Bearer ${key}`)],
  ['a key in an absolute target', (key) => head(`GET http://${key}@x/v1/prices`, `Authorization: Bearer ${key}`)],
  ['a key as the page of a change', (key) => head(`GET /changes/${key}`)],
  ['a key in other headers', (key) => head('GET /v1/usage', `X-API-Key: ${key}`, `Cookie: key=${key}`, `User-Agent: ${key}`, `Referer: https://x/${key}`)],
  ['a header that is no key', (key) => head('GET /v1/usage', `Authorization: Basic ${key}`, 'X-Canary: canaryInHeader')],
  ['a subscription', (key) => `${head('POST /v1/webhooks', `Authorization: Bearer ${key}`, 'Content-Type: application/json', `Content-Length: ${hook.length}`)}${hook}`],
  ['a subscription that is no JSON', (key) => `${head('POST /v1/webhooks', `Authorization: Bearer ${key}`, 'Content-Type: application/json', `Content-Length: ${hook.length - 1}`)}${hook.slice(1)}`],
  ['a body of another type', (key) => `${head('POST /v1/webhooks', `Authorization: Bearer ${key}`, 'Content-Type: text/canaryInType', `Content-Length: ${hook.length}`)}${hook}`],
  ['a header that is no HTTP', (key) => head('GET /v1/usage', `Authorization : Bearer ${key}`)],
] // prettier-ignore

async function send(url: string, bytes: string): Promise<RawAnswer[]> {
  return exchange(url, bytes.replace('\r\nHost:', '\r\nConnection: close\r\nHost:'))
}

describe.each([
  ['step by step', plain],
  ['recognised', fast],
] as const)('%s', (_way, api) => {
  test('keys, URLs and headers are in no line of the log, no figure and no error', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const statuses: number[] = []
    for (const [what, bytes] of requests) {
      for (const { status, text, headers } of await send(api.url, bytes(key))) {
        statuses.push(status)
        expect(text, what).not.toContain(key)
        expect(text, what).not.toContain('canaryInSecret')
        for (const [, value] of headers) expect(value, what).not.toContain(key)
      }
    }
    // Some were served and some refused at each step.
    expect(new Set(statuses)).toEqual(new Set([200, 201, 400, 401, 404, 415]))
    await expect.poll(() => api.log.join('')).toMatch(/"operation":"createWebhook"/)
    const output = api.log.join('') + (await api.metrics.render())
    expect(output).not.toContain(key)
    expect(output).not.toContain(key.slice(8, 24))
    expect(output).not.toMatch(/canary/i)
    expect(output).not.toMatch(/vendor=|api_key|hooks\.acme|user-agent|referer/i)
  })
})

test('a key is in no row, whether new, in use, rotated or revoked, and neither is any part of it that would do', async () => {
  const customer: Customer = await createCustomer(database.db, { plan: 'developer' })
  const other = await createKey(database.db, customer.accountId)
  await fast.request('/v1/prices', { key: customer.key })
  const next = await database.db.transaction().execute((trx) => rotateApiKey(trx, customer.keyId))
  const rows = JSON.stringify(await everyRow(database.db))
  for (const { key } of [customer, other, next]) {
    expect(rows).not.toContain(key)
    // The beginning and the last four characters are stored to distinguish keys.
    expect(rows).not.toContain(key.slice('rc_live_'.length + 4, -4))
  }
})

test('a key is told once: no list, no key and no log of the dashboard has it again', async () => {
  const { browser } = await signInNew(fast, 'Ada')
  const { key, record } = ((await browser.post('/keys', { name: 'CI' })).body as {
    data: { key: string; record: { id: string } }
  }).data // prettier-ignore
  const after = [
    await browser.get('/keys'),
    await browser.send('PATCH', `/keys/${record.id}`, { name: 'other' }),
    await browser.get('/overview'),
    await browser.get('/audit-log'),
    await browser.get('/usage.csv'),
  ]
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(JSON.stringify(after.map(({ body }) => body))).not.toContain(key.slice(12, -4))
})

test('a link that was mailed, a password and a session stand in no row as they are; the token is in the fragment', async () => {
  const { browser } = await signInNew(fast, 'Bea')
  const email = 'bea@customer.example'
  await browser.post('/password-reset-mail', { email })
  await browser.post('/invitations', { email: 'guest@customer.example', role: 'member' })
  const tokens = [await linkToken(fast, email), await linkToken(fast, 'guest@customer.example')]
  expect(tokens.map((token) => token.length > 20)).toEqual([true, true])
  const rows = JSON.stringify(await everyRow(database.db))
  for (const token of tokens) expect(rows).not.toContain(token)
  expect(rows).not.toContain('correct horse battery')
  const links = fast.log.flatMap((line) => (JSON.parse(line) as { link?: string }).link ?? [])
  expect(links.length).toBeGreaterThan(2)
  // The part after # is sent to no server, so no log has it.
  for (const link of links) expect(link).toMatch(/^[^?#]+#token=[^&]+$/)
})

test('no error of the dashboard repeats what was sent', async () => {
  const { browser } = await signInNew(fast, 'Cleo')
  const secret = 'canaryOfTheDashboard'
  const answers = [
    await new Browser(fast.url).post('/sign-in', { email: 'cleo@customer.example', password: secret }),
    await browser.post('/password', { current_password: secret, new_password: `${secret} staple` }),
    await browser.post('/finish-sign-up', { token: secret, name: 'Cleo', password: `${secret} staple` }),
    await browser.post('/password-reset', { token: secret, password: `${secret} staple` }),
    await browser.post('/accept-invitation', { token: secret }),
    await browser.get(`/keys/${secret}`),
    await browser.post('/webhooks', { url: 'https://hooks.acme.example', secret: 7, other: secret }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(JSON.stringify(body)).not.toContain(secret)
  }
  expect(fast.log.join('')).not.toContain(secret)
})
