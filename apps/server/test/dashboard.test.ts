import { createHmac } from 'node:crypto'
import { getMigrations } from 'better-auth/db/migration'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { describe, expect, it, test } from 'vitest'
import { authOptions } from '../src/features/members/auth.ts'
import { vouchedSession } from '../src/features/members/vouched-session.ts'
import { dashboardPolicy } from '../src/http/dashboard/pages.ts'
import { useApi } from './support/api.ts'
import { Browser, linkToken } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const api = useApi(database)
const password = 'correct horse battery'
const person = (name: string) => ({ name, email: `${name.toLowerCase()}@customer.example`, password })

/** Signs a user up, verifies the address and signs in. */
async function signIn(name: string): Promise<Browser> {
  const browser = new Browser(api.url)
  const { email } = person(name)
  expect((await browser.post('/sign-up', { email })).status).toBe(202)
  const token = await linkToken(api, email)
  expect((await browser.post('/finish-sign-up', { token, name, password })).status).toBe(200)
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200)
  return browser
}

test('signs up, verifies, signs in, creates a key, uses it, and sees the request counted', async () => {
  const browser = new Browser(api.url)
  const ada = person('Ada')
  const { email } = ada
  expect(await browser.post('/sign-up', ada)).toMatchObject({ status: 400 })
  expect(await browser.post('/sign-up', { email })).toMatchObject({ status: 202, body: { success: true } })
  expect(await browser.post('/sign-in', ada)).toMatchObject({ status: 400 })
  const credentials = { email, password }
  expect(await browser.post('/sign-in', credentials)).toMatchObject({
    status: 401,
    body: { error: 'wrong_credentials' },
  })
  const token = await linkToken(api, email)
  const chosen = { token, name: 'Ada', password }
  expect((await browser.post('/finish-sign-up', chosen)).status).toBe(200)
  expect((await browser.post('/finish-sign-up', chosen)).status).toBe(400)
  expect(await browser.get('/me'), 'who has just chosen the password is signed in').toMatchObject({
    status: 200,
    body: { data: { user: { email } } },
  })
  expect((await browser.post('/sign-out', {})).status).toBe(200)
  expect(await browser.get('/me')).toMatchObject({ status: 401, body: { error: 'not_signed_in' } })

  const signedIn = await browser.post('/sign-in', credentials)
  expect(signedIn).toMatchObject({ status: 200, body: { success: true } })
  expect(signedIn.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-ratecard\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    expect.stringMatching(
      /^__Host-ratecard\.known_browser=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  expect(await browser.get('/me')).toMatchObject({
    status: 200,
    body: {
      data: {
        user: { name: 'Ada', email: ada.email },
        account: { name: 'Ada', role: 'owner', plan: 'free', daily_limit: 100, keys_max: 2 },
      },
    },
  })

  const created = await browser.post('/keys', { name: 'CI' })
  expect(created.status).toBe(201)
  const { key, record } = (created.body as { data: { key: string; record: { id: string } } }).data
  expect((await api.request('/v1/prices?limit=1', { key })).status).toBe(200)
  expect(await browser.get('/keys')).toMatchObject({
    status: 200,
    body: { data: [{ id: record.id, name: 'CI', state: 'active', used_today: 1 }], active: 1, active_max: 2 },
  })
  const audit = await database.db.selectFrom('audit_entries').selectAll().execute()
  expect(audit).toMatchObject([
    { action: 'key.created', subject_id: record.id, actor: 'user', actor_name: ada.email },
  ])

  const text = api.log.join('')
  expect(text).not.toContain(key)
  expect(text).not.toContain(password)
  expect(text.split(token)).toHaveLength(2)
  expect((await browser.post('/sign-out')).status).toBe(200)
  expect((await browser.get('/keys')).status).toBe(401)
})

test('the third key of a free account is refused', async () => {
  const browser = await signIn('Barbara')
  expect((await browser.post('/keys', { name: 'one' })).status).toBe(201)
  expect((await browser.post('/keys', { name: 'two' })).status).toBe(201)
  expect(await browser.post('/keys', { name: 'three' })).toMatchObject({
    status: 409,
    body: { error: 'key_limit_reached', message: 'Your plan allows 2 active keys. Revoke one, or upgrade.' },
  })
})

test('a new password ends every session, and its link works once', async () => {
  const browser = await signIn('Cleo')
  const { email } = person('Cleo')
  expect((await browser.post('/password-reset-mail', { email })).status).toBe(202)
  const token = await linkToken(api, email)
  expect(await browser.post('/password-reset', { token, password: 'cleo@customer.example' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('too easy to guess') as string },
  })
  const next = { token, password: 'another horse battery' }
  const check = async (kind: string) => (await browser.post('/mailed-link-check', { kind, token })).status
  expect([await check('password-reset'), await check('sign-up')]).toEqual([200, 400])
  expect((await browser.post('/password-reset', next)).status).toBe(200)
  expect(await check('password-reset')).toBe(400)
  expect((await browser.get('/me')).status).toBe(401)
  expect((await browser.post('/password-reset', next)).status).toBe(400)
  expect((await browser.post('/sign-in', { email, password })).status).toBe(401)
  expect((await browser.post('/sign-in', { email, password: next.password })).status).toBe(200)
})

test('a session that is over in the database is over', async () => {
  const browser = await signIn('Dora')
  const { email } = person('Dora')
  await database.db
    .updateTable('auth_sessions')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('user_id', 'in', (eb) => eb.selectFrom('auth_users').select('id').where('email', '=', email))
    .execute()
  expect((await browser.get('/me')).status).toBe(401)
})

test('the eleventh attempt to sign in within a minute is refused, from one address', async () => {
  const browser = new Browser(api.url, { 'x-forwarded-for': '198.51.100.9' })
  const wrong = { email: 'nobody@customer.example', password: 'not the right one' }
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect((await browser.post('/sign-in', wrong)).status).toBe(401)
  }
  const refused = await browser.post('/sign-in', wrong)
  expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const elsewhere = new Browser(api.url, { 'x-forwarded-for': '198.51.100.10' })
  expect((await elsewhere.post('/sign-in', wrong)).status).toBe(401)
})

describe('a request that another site makes the browser send', () => {
  it.each([
    ['of another site', 'Eve', { 'sec-fetch-site': 'cross-site' }],
    ['of a sibling', 'Fay', { 'sec-fetch-site': 'same-site' }],
    [
      'of another origin, in an old browser',
      'Gil',
      { 'sec-fetch-site': null, origin: 'https://evil.example' },
    ],
    ['of nowhere', 'Hal', { 'sec-fetch-site': null }],
    ['without the header of the pages', 'Ida', { 'x-ratecard-dashboard': null }],
  ])('%s is refused', async (_what, name, headers) => {
    const browser = await signIn(name)
    expect(await browser.post('/keys', { name: 'stolen' }, headers)).toMatchObject({
      status: 403,
      body: { error: 'cross_site' },
    })
    expect(await browser.get('/keys')).toMatchObject({ body: { data: [] } })
  })
})

test('a cookie with a signature of its own is nobody’s', async () => {
  const browser = await signIn('Flora')
  const { token } = await database.db.selectFrom('auth_sessions').select('token').executeTakeFirstOrThrow()
  const forged = createHmac('sha256', 'a guess').update(token).digest('base64')
  const cookie = `__Host-ratecard.session_token=${encodeURIComponent(`${token}.${forged}`)}`
  expect((await new Browser(api.url, { cookie }).get('/me')).status).toBe(401)
  expect((await browser.get('/me')).status).toBe(200)
})

test.each(['/dashboard', '/dashboard/keys', '/dashboard/no/such/page'])(
  '%s runs no script but files of ours, and is kept by nobody',
  async (path) => {
    const { headers } = await fetch(api.url + path)
    expect(headers.get('content-security-policy')).toBe(dashboardPolicy)
    expect(dashboardPolicy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  },
)

test.each([
  ['/dashboard/prices?record=acme:a', '/prices/acme:a'],
  ['/dashboard/changes/chg_1', '/changes/chg_1'],
  ['/dashboard/calculator/', '/calculator'],
  ['/dashboard/compare?record=a&record=b', '/compare?models=a&models=b'],
  ['/dashboard/models//evil.example/a', '/models//evil.example/a'],
  ['/dashboard/models/%0d%0aSet-Cookie:%20a=b', '/models/%0d%0aSet-Cookie:%20a=b'],
])('%s leads to the public page that shows the same', async (path, to) => {
  const answer = await fetch(api.url + path, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location'), answer.headers.has('set-cookie')]).toEqual([
    ...[301, to, false],
  ])
})

test('an address below the interface that is not in its contract is no page', async () => {
  expect(await new Browser(api.url).get('/nothing')).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test('the migration makes what better-auth wants', async () => {
  const secrets = [{ keyId: 'abc', secret: 'x'.repeat(43) }]
  const options = authOptions(
    { db: database.db, secrets, publicUrl: 'http://localhost' },
    { twoFactor, vouchedSession },
  )
  const wanted = await getMigrations(options, { throwOnUnsafe: false })
  expect(wanted).toMatchObject({ toBeCreated: [], toBeAdded: [], unsafeChanges: [], schemaProblems: [] })
})
