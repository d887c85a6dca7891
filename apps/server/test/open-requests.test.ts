import { describe, expect, test } from 'vitest'
import { useApi } from './support/api.ts'
import { Browser, signInNew } from './support/dashboard-client.ts'
import { useDatabase } from './support/postgres.ts'
import { send } from './support/raw-http.ts'

// What anybody may send to the dashboard without a credential, and what no body may hold.

const database = useDatabase()
const api = useApi(database, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
const headers = {
  'sec-fetch-site': 'same-origin',
  'x-ratecard-dashboard': '1',
  'content-type': 'application/json',
}

function post(path: string, body: string, more: Record<string, string> = {}): Promise<Response> {
  return fetch(`${api.url}/dashboard/api${path}`, { method: 'POST', headers: { ...headers, ...more }, body })
}

describe('without a session', () => {
  test('a body has 4 KiB at most', async () => {
    const answer = await post('/sign-in', ' '.repeat(4_097), { 'x-forwarded-for': '198.51.100.1' })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('4 KiB') as string })
  })

  test('requests are counted by network, also those whose form is wrong', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, count) => {
        const address = `2001:db8:1:2::${(count + 1).toString(16)}`
        return (await post('/sign-in', '{}', { 'x-forwarded-for': address })).status
      }),
    )
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(150)
    expect(statuses).toContain(429)
    // The next network is not held up.
    expect((await post('/sign-in', '{}', { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(400)
  })

  test('an operation that needs one does not wait for a body', async () => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const { status } = await send(api.url, 'POST /dashboard/api/keys', ...lines, 'Content-Length: 60000')
    expect(status).toBe(401)
  })

  test('an event of a payment provider is read with a signature alone', async () => {
    const answer = await post('/billing/stripe', '{', { 'x-forwarded-for': '198.51.100.3' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      message: expect.stringContaining('Stripe-Signature') as string,
    })
  })
})

describe('cookies', () => {
  test('of more than 4,096 bytes are refused with a sentence', async () => {
    const cookie = `other=${'x'.repeat(5_000)}`
    const answer = await new Browser(api.url, { cookie }).get('/me')
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect((answer.body as { message: string }).message).toContain('Cookie')
  })

  test('of other programs change nothing', async () => {
    const { browser } = await signInNew(api, 'Ada')
    const cookie = `a=1; ${browser.cookie}; theme=dark`
    expect((await new Browser(api.url, { cookie }).get('/me')).status).toBe(200)
  })
})

describe('a body', () => {
  test.each([
    ['POST', '/keys'],
    ['PATCH', '/account'],
  ])('with half of a surrogate pair is 400: %s %s', async (method, path) => {
    const { browser } = await signInNew(api, 'Bob')
    for (const name of ['\ud800', 'x\udc00y'])
      expect(await browser.send(method, path, { name })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      })
    const odd = await browser.send(method, path, { 'name\ud800': 'x' })
    expect(odd.status).toBe(400)
    // Both halves are one character.
    expect((await browser.send(method, path, { name: '😀 \\ud800' })).status).toBeLessThan(300)
  })

  test('is nested 64 levels deep at most; brackets in text are text', async () => {
    const { browser } = await signInNew(api, 'Cleo')
    const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown
    const say = async (body: unknown) =>
      ((await browser.post('/keys', body)).body as { message: string }).message
    expect(await say({ name: deep(64) })).toContain('64 levels')
    expect(await say({ name: deep(63) })).not.toContain('64 levels')
    expect((await browser.post('/keys', { name: '"[{'.repeat(30) })).status).toBe(201)
  })
})
