import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure, call, nameAccount } from '../src/api/client.ts'

let sent: Request[] = []
let answer: () => Response

beforeEach(() => {
  sent = []
  vi.stubGlobal('window', { location: { origin: 'https://prices.example' } })
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push(request)
    return Promise.resolve().then(answer)
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a call has its path, its query and the account on the screen', async () => {
  nameAccount(() => 'acct_1')
  answer = () => Response.json({ data: null })
  expect(await call('GET /deliveries/{id}/exchange', { path: { id: 'a/b' }, query: { attempt: 2 } })).toEqual(
    {
      data: null,
    },
  )
  nameAccount(() => undefined)
  const [request] = sent
  expect(request?.url).toBe('https://prices.example/dashboard/api/deliveries/a%2Fb/exchange?attempt=2')
  expect(request?.headers.get('x-ratecard-account')).toBe('acct_1')
  expect(request?.headers.get('x-ratecard-dashboard')).toBe('1')
  expect(request?.headers.has('content-type')).toBe(false)
})

test('a body is sent as JSON', async () => {
  answer = () => Response.json({ data: {} }, { status: 201 })
  await call('POST /keys', { body: { name: 'CI' } })
  expect(sent[0]?.headers.get('content-type')).toBe('application/json')
  expect(await sent[0]?.json()).toEqual({ name: 'CI' })
})

test('a file is a Blob, one of JSON too', async () => {
  const headers = { 'content-disposition': 'attachment; filename="ratecard-usage.csv"' }
  answer = () => Response.json([1], { headers })
  const file = await call('GET /usage.csv', { query: {} })
  expect(file).toBeInstanceOf(Blob)
  expect(await file.text()).toBe('[1]')
})

test.each([
  [
    () => Response.json({ error: 'owner_only', message: 'Ask an owner.' }, { status: 403 }),
    { code: 'owner_only', message: 'Ask an owner.' },
  ],
  [
    () => new Response('<h1>', { status: 502 }),
    { code: 'internal_error', message: 'The server answered 502.' },
  ],
  [() => Promise.reject(new TypeError()) as never, { code: 'unreachable' }],
])('what is no success is thrown', async (made, expected) => {
  answer = made
  const failure: unknown = await call('GET /me').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiFailure)
  expect(failure).toMatchObject(expected)
})
