import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './support/api.ts'
import { storePrices, priceRecord } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import { expectedAccess } from './support/dashboard-access.ts'
import { Browser, type DashboardAnswer } from './support/dashboard-client.ts'
import { callOf, dashboardOperations, type DashboardOperation } from './support/dashboard-operations.ts'
import { useDatabase } from './support/postgres.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { createTenant, everyRow, password, type Tenant } from './support/tenants.ts'

// One account's access to another's data, on every operation of the contract.

const database = useDatabase()
const api = useApi(database, {
  env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: authorityFile },
})
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  await storePrices(database.db, [priceRecord({ resource_id: 'openai:gpt-4o-mini' })])
  await publish(database.db, changeFile())
})
afterAll(() => receiver.close())

const tenant = () => createTenant(database.db, api.url, `${receiver.url}/hook`)
const ask = (
  browser: Browser,
  operation: DashboardOperation,
  ids?: Partial<Tenant['ids']>,
  headers?: Record<string, string | null>,
): Promise<DashboardAnswer> => {
  const { method, path, body } = callOf(operation, ids)
  return browser.send(method, path, body, headers)
}
const named = (operations: DashboardOperation[]) =>
  operations.map((operation) => [operation.id, operation] as const)

const withIds = dashboardOperations.filter(({ idLocations }) => idLocations.some(({ kind }) => kind !== null))
const withSession = dashboardOperations.filter(({ takesSession }) => takesSession)
const reading = withSession.filter(({ method }) => method === 'GET')
/** What operators read is of no account: dashboard-review.test.ts. */
const readingOfAccounts = reading.filter(({ id }) => expectedAccess[id] !== 'operator')
const writing = dashboardOperations.filter(
  ({ method, schemes }) => method !== 'GET' && !schemes.includes('stripe'),
)

/** An unknown id of each kind. */
const absent: Tenant['ids'] = {
  account: 'acct_0000000000000000000A',
  session: 'ses_0000000000000000000A',
  passkey: 'pky_0000000000000000000A',
  member: 'usr_0000000000000000000A',
  invitation: 'inv_0000000000000000000A',
  key: 'key_0000000000000000000A',
  webhook: 'wh_0000000000000000000A',
  delivery: 'dlv_0000000000000000000A',
}

describe("another account's id is answered as one that never was, and nothing moves", () => {
  let stranger: Tenant
  beforeAll(async () => {
    stranger = await tenant()
  })
  test.each(named(withIds))('%s', async (_id, operation) => {
    const victim = await tenant()
    const before = await everyRow(database.db)
    const never = await ask(stranger.browser, operation, absent)
    const foreign = await ask(stranger.browser, operation, victim.ids)
    expect(foreign).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(foreign.body).toEqual(never.body)
    expect(await everyRow(database.db)).toEqual(before)
    // The same call succeeds when the owner of the data sends it.
    expect((await ask(victim.browser, operation, victim.ids)).status).toBeLessThan(300)
  })
})

describe('a session that looks at one account of its user finds nothing of the other', () => {
  let owner: Tenant
  beforeAll(async () => {
    owner = await tenant()
    await owner.browser.post('/switch-account', { account_id: owner.accountId })
  })
  const ofAccount = withIds.filter(({ idLocations }) =>
    idLocations.some(({ kind }) => kind !== null && !['session', 'passkey', 'account'].includes(kind)),
  )
  test.each(named(ofAccount))('%s', async (_id, operation) => {
    const before = await everyRow(database.db)
    expect((await ask(owner.browser, operation, owner.ids)).status).toBe(404)
    expect(await everyRow(database.db)).toEqual(before)
  })
})

describe('nothing is told of another account', () => {
  let victim: Tenant
  let stranger: Tenant
  beforeAll(async () => {
    victim = await tenant()
    stranger = await tenant()
  })
  const leaksOf = (body: unknown) => {
    const text = JSON.stringify(body)
    return [...Object.values(victim.ids), victim.userId, victim.email].filter((value) => text.includes(value))
  }
  const lists = readingOfAccounts.filter(({ idLocations }) => idLocations.length === 0)
  test.each(named(lists))('%s', async (_id, operation) => {
    const { status, body } = await ask(stranger.browser, operation)
    expect(status).toBeLessThan(300)
    expect(leaksOf(body)).toEqual([])
  })
  const paged = readingOfAccounts.filter(({ queryTypes }) => queryTypes.has('cursor'))
  test.each(named(paged))('%s, with a cursor of theirs', async (_id, operation) => {
    const { method, path } = callOf({ ...operation, idLocations: [] })
    // Keys that work come all at once, revoked ones page by page.
    for (const name of ['one', 'two']) {
      const { body } = await victim.browser.post('/keys', { name })
      const { record } = (body as { data: { record: { id: string } } }).data
      await victim.browser.post(`/keys/${record.id}/revoke`)
    }
    await victim.browser.post('/webhooks', { url: 'https://hooks.example.com/alerts' })
    await victim.browser.post(`/deliveries/${victim.ids.delivery}/resend`)
    await publish(database.db, changeFile())
    const page = (await victim.browser.send(method, `${path}?limit=1`)).body as {
      pagination?: { next_cursor: string }
    }
    const cursor = page.pagination?.next_cursor ?? ''
    expect(cursor).not.toBe('')
    const { status, body } = await stranger.browser.send(method, `${path}?limit=1&cursor=${cursor}`)
    expect([200, 400]).toContain(status)
    expect(leaksOf(body)).toEqual([])
  })
})

test.each(named(withSession))('%s is refused without a session', async (_id, operation) => {
  const before = await everyRow(database.db)
  const answer = await ask(new Browser(api.url), operation)
  expect(answer).toMatchObject({ status: 401, body: { error: 'not_signed_in' } })
  expect(await everyRow(database.db)).toEqual(before)
})

describe('a request that another site makes the browser send is refused, and nothing moves', () => {
  const forged: Record<string, string | null>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', 'x-ratecard-dashboard': null, 'content-type': 'text/plain' },
    { 'sec-fetch-site': null, origin: 'https://evil.example' },
    { 'sec-fetch-site': null, origin: 'null' },
    { 'sec-fetch-site': null },
    { 'x-ratecard-dashboard': null },
  ]
  let victim: Tenant
  beforeAll(async () => {
    victim = await tenant()
  })
  test.each(named(writing))('%s', async (_id, operation) => {
    const before = await everyRow(database.db)
    for (const headers of forged) {
      expect(await ask(victim.browser, operation, victim.ids, headers)).toMatchObject({
        status: 403,
        body: { error: 'cross_site' },
      })
    }
    expect(await everyRow(database.db)).toEqual(before)
  })
})

const limited = dashboardOperations.filter(({ isPublic, hasBody }) => isPublic && hasBody)
test.each(named(limited))('%s is limited for one address', async (_id, operation) => {
  const browser = new Browser(api.url)
  let attempts = 0
  let answer: DashboardAnswer
  do {
    answer = await ask(browser, operation)
    attempts += 1
  } while (answer.status !== 429 && attempts <= 61)
  expect(answer).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(new Browser(api.url), operation)).status).not.toBe(429)
})

test('cookies are of this host alone, out of the reach of scripts, and never sent in the clear', async () => {
  const { email } = await tenant()
  const browser = new Browser(api.url)
  const answers = [
    await browser.post('/sign-in', { email, password }),
    await browser.post('/sign-in', { email, password, remember: false }),
    await browser.post('/password', { current_password: password, new_password: `${password} staple` }),
    await browser.post('/sign-out'),
  ]
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    const cookies = headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split('; ')
      expect(pair).toMatch(/^__Host-/)
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']))
      expect(cookie).not.toMatch(/Domain=/i)
    }
  }
  // A session without "remember me" ends when the browser closes.
  expect(answers[1]?.headers.getSetCookie().join()).not.toMatch(/session_token=[^,]*Max-Age=[1-9]/)
})

test.each(['/dashboard', '/dashboard/', '/dashboard/keys', '/dashboard/webhooks/wh_1', '/dashboard/sign-in'])(
  '%s is in no frame, runs and loads nothing from elsewhere, and tells nobody where it was',
  async (path) => {
    const { headers } = await fetch(api.url + path)
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  },
)

test('no answer of the interface is kept or read as something else', async () => {
  const { browser } = await tenant()
  for (const operation of reading) {
    const { headers } = await ask(browser, operation)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control'), operation.id).toMatch(/^private, no-(store|cache)$/)
    expect(headers.get('vary'), operation.id).toMatch(/Cookie/)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('no log has a key, a secret, a password or a session', async () => {
  const owner = await tenant()
  const own = 'a secret of my own choice'
  const answers = [
    await owner.browser.post('/keys', { name: 'CI' }),
    await owner.browser.post(`/keys/${owner.ids.key}/rotate`, { grace_seconds: 60 }),
    await owner.browser.post('/webhooks', { url: `${receiver.url}/other` }),
    await owner.browser.post(`/webhooks/${owner.ids.webhook}/secret`, {}),
    await owner.browser.post(`/webhooks/${owner.ids.webhook}/secret`, { secret: own }),
    await owner.browser.post(`/webhooks/${owner.ids.webhook}/test`),
    await owner.browser.post('/keys', { name: 7, secret: own }),
  ]
  const said = answers.flatMap(({ body }) => {
    const { key, secret } = (body as { data?: { key?: string; secret?: string } }).data ?? {}
    return [key, secret].filter((value) => value !== undefined)
  })
  expect(said).toHaveLength(5)
  const { token } = await database.db
    .selectFrom('auth_sessions')
    .select('token')
    .where('user_id', '=', owner.userId)
    .executeTakeFirstOrThrow()
  const log = api.log.join('')
  for (const secret of [...said, own, password, token]) expect(log).not.toContain(secret)
})
