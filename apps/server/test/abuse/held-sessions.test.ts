import { describe, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { Browser, linkToken, signInNew, type DashboardAnswer } from '../support/dashboard-client.ts'
import { useDatabase } from '../support/postgres.ts'

// Every request reads its session from the database, and no answer reveals which addresses have an account.

const database = useDatabase()
const api = useApi(database)
const password = 'correct horse battery'

/** The session of an answer, as a browser sends it back. */
const cookiesOf = ({ headers }: DashboardAnswer) =>
  headers.getSetCookie().map((line) => line.split(';')[0] ?? '').find((cookie) => cookie.includes('session_token')) ?? '' // prettier-ignore

async function signIn(email: string, word = password): Promise<{ browser: Browser; cookie: string }> {
  const browser = new Browser(api.url)
  const answer = await browser.post('/sign-in', { email, password: word })
  expect(answer.status).toBe(200)
  return { browser, cookie: cookiesOf(answer) }
}

const statusWith = async (cookie: string) => (await new Browser(api.url, { cookie }).get('/me')).status

test('a cookie that was kept is worth nothing once its session was signed out', async () => {
  await signInNew(api, 'Ada')
  const { browser, cookie } = await signIn('ada@customer.example')
  expect(await statusWith(cookie)).toBe(200)
  expect((await browser.post('/sign-out')).status).toBe(200)
  expect(await statusWith(cookie)).toBe(401)
})

test('another password ends every other session, and this one goes on', async () => {
  const { browser: first } = await signInNew(api, 'Bea')
  const { cookie } = await signIn('bea@customer.example')
  const { browser: here } = await signIn('bea@customer.example')
  const next = 'another horse battery'
  expect((await here.post('/password', { current_password: password, new_password: next })).status).toBe(200)
  expect((await here.get('/me')).status).toBe(200)
  expect((await first.get('/me')).status).toBe(401)
  expect(await statusWith(cookie)).toBe(401)
})

test('a reset ends every session, and its link works once', async () => {
  const { browser } = await signInNew(api, 'Cleo')
  const email = 'cleo@customer.example'
  const { cookie } = await signIn(email)
  await new Browser(api.url).post('/password-reset-mail', { email })
  const token = await linkToken(api, email)
  const reset = () =>
    new Browser(api.url).post('/password-reset', { token, password: 'another horse battery' })
  const twice = await Promise.all([reset(), reset()])
  expect(twice.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
  expect((await reset()).status).toBe(400)
  expect((await browser.get('/me')).status).toBe(401)
  expect(await statusWith(cookie)).toBe(401)
})

test.each<[string, (cookie: string) => string]>([
  ['nothing', () => ''],
  ['a cookie that was cut', (cookie) => cookie.slice(0, -3)],
  ['the signature of another', (cookie) => cookie.replace(/\.[^.]+$/, '.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D')],
  ['a token without a signature', (cookie) => cookie.replace(/\.[^.]+$/, '')],
  ['a name without the prefix', (cookie) => cookie.replace('__Host-', '')],
  ['a name of another prefix', (cookie) => cookie.replace('__Host-', '__Secure-')],
])('%s is no session', async (_what, forge) => {
  await signInNew(api, `Dora${forge.toString().length}`)
  const { cookie } = await signIn(`dora${forge.toString().length}@customer.example`)
  expect(await statusWith(cookie)).toBe(200)
  expect(await statusWith(forge(cookie))).toBe(401)
}) // prettier-ignore

test('of 40 attempts at once from one address, no more than 10 are tried, and the next is told to wait', async () => {
  const browser = new Browser(api.url)
  const attempt = (n: number) =>
    browser.post('/sign-in', { email: `nobody${n}@customer.example`, password: 'not the right one' })
  const attempts = await Promise.all(Array.from({ length: 40 }, (_, n) => attempt(n)))
  const tried = attempts.filter(({ status }) => status === 401).length
  expect(tried).toBeGreaterThan(0)
  expect(tried).toBeLessThanOrEqual(10)
  expect(await attempt(41)).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } })
})

describe('an address that is known and one that is not are answered alike:', () => {
  const withoutTraces = ({ status, headers, body }: DashboardAnswer) => {
    const { date: _date, 'x-request-id': _id, ...rest } = Object.fromEntries(headers)
    return { status, headers: rest, body }
  }

  test.each<[string, (email: string) => Promise<DashboardAnswer>]>([
    ['signing up', (email) => new Browser(api.url).post('/sign-up', { email })],
    ['signing in with a wrong password', (email) => new Browser(api.url).post('/sign-in', { email, password: 'not the right one' })],
    ['asking for another password', (email) => new Browser(api.url).post('/password-reset-mail', { email })],
  ])('%s', async (what, ask) => {
    const name = `Eve${what.length}`
    await signInNew(api, name)
    const known = withoutTraces(await ask(`${name.toLowerCase()}@customer.example`))
    expect(known.status).toBeLessThan(429)
    expect(withoutTraces(await ask(`nobody.${name.toLowerCase()}@customer.example`))).toEqual(known)
  }) // prettier-ignore
})

test('an invitation is good for its address alone, and with its token alone', async () => {
  const { browser: owner } = await signInNew(api, 'Flora')
  const { browser: guest } = await signInNew(api, 'Gil')
  const { browser: thief } = await signInNew(api, 'Hal')
  await owner.post('/invitations', { email: 'gil@customer.example', role: 'owner' })
  const token = await linkToken(api, 'gil@customer.example')
  expect((await thief.post('/accept-invitation', { token })).status).toBe(404)
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  expect((await guest.post('/accept-invitation', { token: other })).status).toBe(404)
  expect((await guest.post('/accept-invitation', { token })).status).toBe(200)
  expect((await guest.post('/accept-invitation', { token })).status).toBe(404)
})
