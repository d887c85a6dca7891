import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { report } from '../src/adapter.ts'
import { WebhookVerificationError, type WebhookErrorCode } from '../src/error.ts'
import { ratecardWebhook as onExpress } from '../src/express.ts'
import { ratecardWebhook as onFetch } from '../src/fetch.ts'
import { ratecardWebhook as onLambda } from '../src/lambda.ts'
import { createTestRequestSync } from '../src/sync.ts'
import { secret } from './builds.ts'
import { listen, post } from './receivers.ts'

// The reports of an adapter without `onError`: enough to see a wrong secret, not enough to fill a disk.

const hourMs = 3_600_000
const said: string[] = []

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void said.push(`warn ${text}`))
  vi.spyOn(console, 'error').mockImplementation((text: unknown) => void said.push(`error ${String(text)}`))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  said.length = 0
})

/** A day later each time: no test meets the reports of another. */
let day = 0
beforeEach(() => {
  day += 1
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00Z') + day * 24 * hourMs })
})

const another = 'another secret of ours'
const forged = () => createTestRequestSync({ secret: another })

test.each([
  ['fetch', async () => onFetch({ secret }, () => {})(new Request(forged().url, forged()))],
  [
    'lambda',
    async () =>
      onLambda({ secret }, () => {})({ httpMethod: 'POST', headers: forged().headers, body: forged().body }),
  ],
  ['express', async () => post(await listen(expressListener()), forged())],
])('a wrong secret is seen in the log, once an hour: %s', async (_, deliver) => {
  for (let attempt = 1; attempt <= 5; attempt += 1) await deliver()
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/^warn .*signature_mismatch.*Compare the secret/)
  expect(said[0]).not.toContain(secret)
  vi.setSystemTime(Date.now() + hourMs)
  await deliver()
  await deliver()
  expect(said).toHaveLength(2)
})

function expressListener() {
  const receive = onExpress({ secret }, () => {})
  return (...[request, response]: Parameters<Parameters<typeof listen>[0]>) =>
    receive(request as never, response as never, () => expect.unreachable())
}

test('a caller without a signature is not worth a line', async () => {
  const receive = onFetch({ secret }, () => {})
  for (let attempt = 1; attempt <= 5; attempt += 1)
    expect((await receive(new Request('https://a.example', { method: 'POST', body: '{}' }))).status).toBe(401)
  expect(said).toEqual([])
})

test('each cause is told, what only the developer can mend as an error', () => {
  const tell = (code: WebhookErrorCode, hint?: string) =>
    report(new WebhookVerificationError(code, hint), { secret })
  for (let time = 1; time <= 3; time += 1) {
    tell('bad_secret')
    tell('signature_mismatch')
    tell('signature_mismatch', 'A line feed was added at the end of the body.')
    tell('replayed')
  }
  expect(said.map((line) => line.split(' ')[0])).toEqual(['error', 'warn', 'warn'])
})

test('any number of causes leaves little behind', () => {
  for (let n = 0; n < 1_000; n += 1)
    report(new WebhookVerificationError('invalid_payload', `changes[${n % 500}]`), { secret })
  // Logged causes are forgotten beyond a limit, so a few are logged again.
  expect(said.length).toBeLessThanOrEqual(1_000)
  expect(said.length).toBeGreaterThanOrEqual(500)
})

test('whoever gives an onError is told of everything, and nothing is logged', async () => {
  const errors: unknown[] = []
  const receive = onFetch({ secret, onError: (error) => errors.push(error) }, () => {})
  for (let attempt = 1; attempt <= 3; attempt += 1) await receive(new Request(forged().url, forged()))
  expect(errors).toHaveLength(3)
  expect(said).toEqual([])
})

test('a mistake in the program is logged each time', () => {
  for (let time = 1; time <= 2; time += 1) report(new Error('mine'), { secret })
  expect(said).toEqual(['error Error: mine', 'error Error: mine'])
})
