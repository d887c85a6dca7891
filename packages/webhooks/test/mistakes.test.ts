import { afterEach, describe, expect, test, vi } from 'vitest'
import { ratecardWebhook as onExpress } from '../src/express.ts'
import { ratecardWebhook as onFastify } from '../src/fastify.ts'
import { ratecardWebhook as onFetch } from '../src/fetch.ts'
import { ratecardWebhook as onLambda } from '../src/lambda.ts'
import { ratecardWebhook as onNode } from '../src/node.ts'
import { alert, allBuilds, delivery, now, secret } from './builds.ts'

// Mistakes in a program are answered with a sentence that says what to do.

const { body, headers } = delivery()
const signature = headers['x-svc-signature']

afterEach(() => vi.unstubAllEnvs())

/** The error of a call, thrown or rejected. */
async function failureOf(call: () => Promise<unknown>): Promise<Error> {
  return (async () => call())().then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  )
}

describe.each(allBuilds)('%s', (_, build) => {
  const verify = build.verify as (...values: unknown[]) => Promise<unknown>

  test.each([
    [
      'the signature for the headers, as with stripe',
      [body, signature, { secret }],
      /^headers: .*all headers/,
    ],
    ['all of the habit of stripe', [body, signature, secret], /^(headers|options): /],
    ['no headers', [body, undefined, { secret }], /^headers: .*all headers/],
    ['null for headers', [body, null, { secret }], /^headers: .*all headers/],
    ['a secret for options', [body, headers, secret], /^options: .*\{ secret \}/],
    ['null for options', [body, headers, null], /^options: .*\{ secret \}/],
    ['a text for secrets', [body, headers, { secrets: secret, now }], /^secrets: .*array/],
  ])('%s is a TypeError with a sentence, and shows nothing', async (_mistake, values, sentence) => {
    for (const call of [verify, build.verifySignature as typeof verify]) {
      const error = await failureOf(() => call(...values))
      expect(error).toBeInstanceOf(TypeError)
      expect(error.message).toMatch(sentence)
      for (const hidden of [secret, signature.slice(7, 19), 'in operator'])
        expect(String(error.stack)).not.toContain(hidden)
    }
  })

  test.each([
    ['undefined', { secret: undefined }, 'not set'],
    ['empty', { secret: '' }, 'not set'],
    ['undefined in a list', { secrets: [secret, undefined] }, 'not set'],
    ['an empty list', { secrets: [] }, 'not set'],
    ['too short', { secret: 'short' }, '16 to 512'],
    ['with a line feed', { secret: `${secret}\n` }, 'line feed'],
    ['a number', { secret: 1234567890123456 }, '16 to 512'],
  ])('a secret that is %s is told as that', async (_fault, options, words) => {
    vi.stubEnv('RATECARD_WEBHOOK_SECRET', secret)
    const error = await failureOf(() => verify(body, headers, { ...options, now }))
    expect(error).toMatchObject({ code: 'bad_secret', status: 500 })
    expect((error as { hint?: string }).hint).toContain(words)
  })

  test('the environment is read when no secret is named', async () => {
    vi.stubEnv('RATECARD_WEBHOOK_SECRET', secret)
    await expect(verify(body, headers, { now })).resolves.toEqual(alert)
    await expect(build.verifySignature(body, headers)).resolves.toEqual({ secretIndex: 0 })
    vi.stubEnv('RATECARD_WEBHOOK_SECRET', undefined)
    for (const options of [undefined, {}, { now }]) {
      const error = await failureOf(() => verify(body, headers, options))
      expect(error).toMatchObject({ code: 'bad_secret' })
      expect((error as { hint?: string }).hint).toContain('RATECARD_WEBHOOK_SECRET')
    }
  })

  test('whatever has a get() like that of Headers will do', async () => {
    const like = {
      get: (name: string) => (name.toLowerCase() === 'x-svc-signature' ? signature : null),
      has: () => true,
    }
    await expect(verify(body, like, { secret, now })).resolves.toEqual(alert)
    const error = await failureOf(() => verify(body, { ...like, get: () => null }, { secret, now }))
    expect(error).toMatchObject({ code: 'missing_signature' })
  })

  test('a refusal for its signature always has a hint', async () => {
    const refused = [
      await failureOf(() => verify(`${String(body)} x`, headers, { secret, now })),
      await failureOf(() => verify(body, { 'x-svc-signature': 'sha256=' }, { secret, now })),
      await failureOf(() => verify(body, {}, { secret, now })),
    ]
    expect(refused.map((error) => (error as { hint?: string }).hint)).toEqual([
      expect.stringContaining('secret'),
      expect.stringContaining('proxy'),
      expect.stringContaining('all headers'),
    ])
  })

  test('who sends no signature is told that first, whatever else is wrong', async () => {
    for (const given of [undefined, alert, body])
      expect(await failureOf(() => verify(given, {}, { secret }))).toMatchObject({
        code: 'missing_signature',
      })
  })
})

test.each([
  ['express', onExpress],
  ['fastify', onFastify],
  ['fetch', onFetch],
  ['lambda', onLambda],
  ['node', onNode],
])('an adapter without its options or its handler says so where it is made: %s', (_, adapter) => {
  const make = adapter as (...values: unknown[]) => unknown
  for (const values of [[], [() => {}], [{ secret }], [secret, () => {}], [null, () => {}], [{ secret }, {}]])
    expect(() => make(...values)).toThrow(/^ratecardWebhook\(options, handler\): /)
})
