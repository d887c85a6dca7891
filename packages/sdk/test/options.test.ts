import { inspect, types } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import Default, { AuthenticationError, ConfigurationError, Ratecard } from '../src/index.ts'
import { failure, serve, testKey, usage } from './support/server.ts'

describe('making a client', () => {
  it('takes a key alone, as other clients do', async () => {
    const { url, seen } = await serve(() => ({ json: usage }))
    vi.stubEnv('RATECARD_BASE_URL', url)
    onTestFinished(() => void vi.unstubAllEnvs())
    await new Ratecard(testKey).usage.get()
    expect(seen[0]!.headers.authorization).toBe(`Bearer ${testKey}`)
  })

  it.each([null, 1, true, () => {}])('refuses %s for options with a sentence', (options) => {
    const make = () => new Ratecard(options as never)
    expect(make).toThrow(ConfigurationError)
    expect(make).toThrow('The options must be an object')
  })

  it('is the default export too', () => {
    expect(Default).toBe(Ratecard)
  })
})

describe('options that cannot work', () => {
  it.each<[says: string, options: object]>([
    ['signal must be an AbortSignal', { signal: 'x' }],
    ['signal must be an AbortSignal', { signal: {} }],
    ['maxRetries must be a number', { maxRetries: '2' }],
    ['maxRetries must be a number', { maxRetries: null }],
    ['timeoutMs must be a number above 0', { timeoutMs: 0 }],
    ['timeoutMs must be a number above 0', { timeoutMs: '30' }],
    ['deadlineMs must be a number above 0', { deadlineMs: 0 }],
    ['maxResponseBytes must be a number above 0', { maxResponseBytes: 0 }],
    ['maxRetryAfterMs must be a number, 0 or more', { maxRetryAfterMs: -1 }],
    ['headers must be a plain object', { headers: new Headers({ 'x-a': '1' }) }],
    ['headers must be a plain object', { headers: [['x-a', '1']] }],
    ['headers must be a plain object', { headers: 'x-a: 1' }],
    ['headers must be a plain object', { headers: () => Promise.resolve({}) }],
    ['The options must be an object', 'x' as never],
    ['The options must be an object', null as never],
  ])('%s: %o', async (says, options) => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const error = await failure(client().usage.get(options))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.message).toContain(says)
    expect(seen).toHaveLength(0)
  })

  it.each([`'${testKey}'`, `"${testKey}"`, `\`${testKey}\``, `"${testKey}"\n`])(
    'a key in quotation marks is named as that: %s',
    async (apiKey) => {
      const { client, seen } = await serve(() => ({ json: usage }))
      const error = await failure(client({ apiKey }).usage.get())
      expect(error).toBeInstanceOf(ConfigurationError)
      expect(error.message).toContain('quotation marks')
      expect(inspect(error)).not.toContain(testKey)
      expect(seen).toHaveLength(0)
    },
  )

  it('a key that is not accepted is told in terms of the client, and the answer is kept', async () => {
    const body = { error: 'unauthorized', message: 'Send it as Authorization: Bearer.', status: 401 }
    const { client } = await serve(() => ({ status: 401, json: body }))
    const error = await failure<AuthenticationError>(client().usage.get())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.message).toContain('Check the option apiKey or RATECARD_API_KEY')
    expect(error.message).not.toContain('Bearer')
    expect(error.body).toEqual(body)
  })
})

describe('what a call gives', () => {
  it('is a promise, and prints as one', async () => {
    const { client } = await serve(() => ({ json: usage }))
    const call = client().usage.get()
    expect(call).toBeInstanceOf(Promise)
    expect(types.isPromise(call)).toBe(true)
    expect(inspect(call)).toBe('Promise { <pending> }')
    expect(await Promise.race([call])).toEqual(usage)
    expect(await call.finally(() => {})).toEqual(usage)
  })

  it.each<[string, (call: ReturnType<Ratecard['usage']['get']>) => PromiseLike<unknown>]>([
    ['awaited', (call) => call],
    ['asked for its response', (call) => call.withResponse()],
    ['both', (call) => Promise.all([call, call.withResponse()])],
  ])('reports a failure once when it is %s', async (_, use) => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    const { client } = await serve(() => 400)
    await failure(use(client().usage.get()))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(unhandled).not.toHaveBeenCalled()
  })
})
