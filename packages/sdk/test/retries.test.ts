import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiError } from '../src/index.ts'
import {
  ConnectionError,
  NotFoundError,
  Ratecard,
  RequestAbortedError,
  TimeoutError,
  type RetryView,
} from '../src/index.ts'
import { failure, listen, pageOf, serve, testKey, usage, type Reply } from './support/server.ts'

// Without jitter there is nothing to wait for between attempts.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return () => vi.restoreAllMocks()
})

const broken: Reply = (response) => response.socket!.destroy()
const brokenInBody: Reply = (response) => {
  response.writeHead(200, { 'content-length': '99' })
  response.write('{"data', () => response.socket!.destroy())
}
const silent: Reply = () => {}
const silentInBody: Reply = (response) => void response.writeHead(200).write('{"data')
const webhook = { url: 'https://hooks.customer.example', secret: 'a-long-random-secret' }
const retried = [408, 429, 500, 502, 503, 504]

describe('retries', () => {
  it.each(retried)('GET and DELETE are sent again after %i', async (status) => {
    const { client, seen } = await serve((_, count) =>
      count % 3 === 0 ? { json: { data: [], success: true } } : status,
    )
    await client().webhooks.list()
    await client().webhooks.delete('whk_1')
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'DELETE', 'DELETE', 'DELETE'])
  })

  it.each([400, 401, 402, 403, 404, 405, 409, 413, 415, 501])(
    'nothing is sent again after %i',
    async (status) => {
      const { client, seen } = await serve(() => status)
      await failure(client().prices.list())
      expect(seen).toHaveLength(1)
    },
  )

  it.each(retried)('a POST is not sent again after %i, as it may have been done', async (status) => {
    const { client, seen } = await serve(() => status)
    await failure(client().webhooks.create(webhook))
    expect(seen).toHaveLength(1)
  })

  it('a POST whose connection broke is not sent again', async () => {
    const { client, seen } = await serve(() => broken)
    expect(await failure(client().webhooks.create(webhook))).toMatchObject({
      mayHaveArrived: true,
      attempts: 1,
    })
    expect(seen).toHaveLength(1)
  })

  it('a POST whose connection was refused is sent again', async () => {
    const { client, seen, url } = await serve(() => ({ status: 201, json: { data: { id: 'whk_1' } } }))
    const gone = createServer()
    const refused = await listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    let calls = 0
    const ratecard = client({
      fetch: (to, init) => fetch(++calls === 1 ? to.replace(url, refused) : to, init),
    })
    expect(await ratecard.webhooks.create(webhook)).toEqual({ id: 'whk_1' })
    expect([calls, seen.length]).toEqual([2, 1])
  })

  it.each([
    ['broken before the answer', broken],
    ['broken in the body', brokenInBody],
  ])('a GET whose connection was %s is sent again', async (_, first) => {
    const { client, seen } = await serve((__, count) => (count === 1 ? first : pageOf([1])))
    expect((await client().prices.list()).data).toEqual([1])
    expect(seen).toHaveLength(2)
  })

  it('maxRetries 0 is exactly one request', async () => {
    const { client, seen } = await serve(() => broken)
    expect(await failure(client({ maxRetries: 0 }).prices.list())).toMatchObject({ attempts: 1 })
    expect(seen).toHaveLength(1)
  })

  it('the error tells how many requests were sent', async () => {
    const { client, seen } = await serve(() => 503)
    expect(await failure(client({ maxRetries: 3 }).prices.list())).toMatchObject({ status: 503, attempts: 4 })
    expect(seen).toHaveLength(4)
  })

  it('a DELETE that may have been done counts as done when the next attempt finds nothing', async () => {
    const { client } = await serve((_, count) => (count === 1 ? broken : 404))
    expect(await client().webhooks.delete('whk_1')).toEqual({ success: true })
  })

  it.each([408, 429, 503])(
    'a DELETE that was certainly not done (%i) is not found when there is none',
    async (status) => {
      const { client } = await serve((_, count) => (count === 1 ? status : 404))
      expect(await failure(client().webhooks.delete('whk_1'))).toBeInstanceOf(NotFoundError)
    },
  )

  it('pauses grow with jitter and are capped at 8 seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const delays = await withFakeTimers(async () => {
      const delaysMs: number[] = []
      const fetch = () => Promise.reject(new Error('x'))
      const hooks = { onRetry: ({ delayMs }: RetryView) => void delaysMs.push(delayMs) }
      await failure(
        new Ratecard({
          apiKey: testKey,
          baseUrl: 'https://api.ratecard.example',
          fetch,
          maxRetries: 6,
          hooks,
        }).usage.get(),
      )
      return delaysMs
    })
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')

  it.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [
      'a date, by the clock of the server',
      { 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT', date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
      9000,
    ],
    ['a date, by the own clock', { 'retry-after': 'Sat, 21 Nov 2026 09:30:05 GMT', date: '' }, 5000],
    ['a date in the past', { 'retry-after': 'Sat, 21 Nov 2020 09:30:05 GMT' }, 0],
    ['more than a timer takes', { 'retry-after': '9999999999' }, 9999999999000],
    ['nonsense', { 'retry-after': '-5' }, undefined],
    ['nothing', {}, undefined],
  ])('is read as %s', async (_, headers, expected) => {
    vi.spyOn(Date, 'now').mockReturnValue(now)
    const fetch = () =>
      Promise.resolve(new Response('{}', { status: 503, headers: headers as Record<string, string> }))
    const client = new Ratecard({
      apiKey: testKey,
      baseUrl: 'https://api.ratecard.example',
      fetch,
      maxRetries: 0,
    })
    expect((await failure<ApiError>(client.usage.get())).retryAfterMs).toBe(expected)
  })

  it('is waited for in full', async () => {
    const { waited, calls } = await withFakeTimers(async () => {
      const startedAt = performance.now()
      let calls = 0
      const fetch = () =>
        Promise.resolve(
          ++calls === 1
            ? new Response('{}', { status: 503, headers: { 'retry-after': '60' } })
            : new Response(JSON.stringify(usage)),
        )
      await new Ratecard({ apiKey: testKey, baseUrl: 'https://api.ratecard.example', fetch }).usage.get()
      return { waited: performance.now() - startedAt, calls }
    })
    expect(waited).toBeGreaterThanOrEqual(60_000)
    expect(calls).toBe(2)
  })

  it('longer than maxRetryAfterMs fails at once', async () => {
    const { client, seen } = await serve(() => ({ status: 503, headers: { 'retry-after': '61' }, json: {} }))
    expect(await failure(client().prices.list())).toMatchObject({
      status: 503,
      retryAfterMs: 61_000,
      attempts: 1,
    })
    expect(seen).toHaveLength(1)
  })

  it('of months is waited for when allowed, and not cut to nothing by the limit of timers', async () => {
    const months = 90 * 24 * 3600
    const waited = await withFakeTimers(async () => {
      const startedAt = performance.now()
      let calls = 0
      const fetch = () =>
        Promise.resolve(
          ++calls === 1
            ? new Response('{}', { status: 503, headers: { 'retry-after': String(months) } })
            : new Response(JSON.stringify(usage)),
        )
      const client = new Ratecard({
        apiKey: testKey,
        baseUrl: 'https://api.ratecard.example',
        fetch,
        maxRetryAfterMs: Infinity,
      })
      await client.usage.get()
      return performance.now() - startedAt
    })
    expect(waited).toBeGreaterThanOrEqual(months * 1000)
  })
})

describe('limits of time', () => {
  it.each([
    ['an answer', silent],
    ['the rest of a body', silentInBody],
  ])('timeoutMs ends an attempt that waits for %s', async (_, reply) => {
    const { client, seen } = await serve(() => reply)
    // Long enough for both attempts to reach the server on a busy machine.
    const error = await failure(client({ timeoutMs: 1_000, maxRetries: 1 }).prices.list())
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ attempts: 2, retryable: true })
    expect(seen).toHaveLength(2)
  })

  it('timeoutMs ends an attempt of a fetch that ignores its signal', async () => {
    const fetch = () => new Promise<never>(() => {})
    const client = new Ratecard({
      apiKey: testKey,
      baseUrl: 'https://api.ratecard.example',
      fetch,
      timeoutMs: 10,
      maxRetries: 0,
    })
    expect(await failure(client.usage.get())).toBeInstanceOf(TimeoutError)
  })

  it('timeoutMs covers a function that is asked for the key, and nothing is sent afterwards', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    let give!: (key: string) => void
    const apiKey = () => new Promise<string>((resolve) => (give = resolve))
    expect(await failure(client({ apiKey, timeoutMs: 10, maxRetries: 0 }).usage.get())).toBeInstanceOf(
      TimeoutError,
    )
    give(testKey)
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen).toHaveLength(0)
  })

  it('deadlineMs ends an attempt that is under way', async () => {
    const { client } = await serve(() => silent)
    expect(await failure(client({ deadlineMs: 30 }).prices.list())).toBeInstanceOf(TimeoutError)
  })

  it('deadlineMs is not waited for when the pause would pass it', async () => {
    const { client, seen } = await serve(() => ({ status: 503, headers: { 'retry-after': '5' }, json: {} }))
    expect(await failure(client({ deadlineMs: 4000 }).prices.list())).toMatchObject({
      status: 503,
      attempts: 1,
    })
    expect(seen).toHaveLength(1)
  })

  it('timeoutMs longer than timers take does not end at once', async () => {
    const { client } = await serve(() => ({ json: usage }))
    expect(await client({ timeoutMs: 2 ** 40, deadlineMs: 2 ** 41 }).usage.get()).toEqual(usage)
  })
})

describe('abort', () => {
  const reason = new Error('no longer wanted')

  it('before sending: nothing is sent', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const error = await failure(client().usage.get({ signal: AbortSignal.abort(reason) }))
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(error).toMatchObject({ cause: reason, attempts: 0, retryable: false })
    expect(seen).toHaveLength(0)
  })

  it.each([
    ['in flight', silent],
    ['in the body', silentInBody],
  ])('%s: the call ends at once, the connection too, and is not tried again', async (_, reply) => {
    const controller = new AbortController()
    let closed!: () => void
    const connectionClosed = new Promise<void>((resolve) => (closed = resolve))
    const { client, seen } = await serve(() => (response, request) => {
      request.socket.on('close', closed)
      if (typeof reply === 'function') reply(response, request)
      controller.abort(reason)
    })
    const error = await failure(client().prices.list({}, { signal: controller.signal }))
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(error).toMatchObject({ cause: reason, attempts: 1 })
    await connectionClosed
    expect(seen).toHaveLength(1)
  })

  it('in a pause: the call ends at once', async () => {
    const controller = new AbortController()
    const { client, seen } = await serve(() => ({ status: 503, headers: { 'retry-after': '50' }, json: {} }))
    const hooks = { onRetry: () => setImmediate(() => controller.abort(reason)) }
    const error = await failure(client({ hooks }).usage.get({ signal: controller.signal }))
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(error).toMatchObject({ cause: reason, attempts: 1 })
    expect(seen).toHaveLength(1)
  })

  it('between pages: the walk ends with the cursor it did not reach', async () => {
    const controller = new AbortController()
    const { client, seen } = await serve((_, count) => pageOf([count], `c${count}`))
    const walk = async () => {
      for await (const row of client().prices.list({}, { signal: controller.signal }))
        if (row) controller.abort(reason)
    }
    const error = await failure(walk())
    expect(error).toBeInstanceOf(RequestAbortedError)
    expect(error).toMatchObject({ cursor: 'c1' })
    expect(seen).toHaveLength(1)
  })

  it('leaves no listener on a signal that lives on, whatever the outcome', async () => {
    const { signal } = new AbortController()
    const replies: Reply[] = [{ json: usage }, 400, 503, broken, { json: usage }, silent]
    const { client } = await serve((_, count) => replies[(count - 1) % replies.length]!)
    for (let round = 0; round < 4; round++)
      await client({ timeoutMs: 50 })
        .usage.get({ signal })
        .catch(() => {})
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('hooks', () => {
  it('see each attempt, and the pause with its reason', async () => {
    const { client, url } = await serve((_, count) =>
      count === 1 ? 503 : { headers: { 'set-cookie': 'a=1' }, json: usage },
    )
    const seen: [string, object][] = []
    const note = (name: string) => (view: object) => void seen.push([name, view])
    const hooks = { onRequest: note('request'), onResponse: note('response'), onRetry: note('retry') }
    await client({ hooks, headers: { cookie: 'session' } }).usage.get()
    const common = { method: 'GET', url: `${url}/v1/usage` }
    expect(seen.map(([name]) => name)).toEqual(['request', 'response', 'retry', 'request', 'response'])
    expect(seen[0]![1]).toMatchObject({
      ...common,
      attempt: 1,
      headers: { authorization: '[redacted]', cookie: '[redacted]' },
    })
    expect(seen[2]![1]).toMatchObject({ ...common, attempt: 1, delayMs: 0, error: { status: 503 } })
    expect(seen[4]![1]).toMatchObject({
      ...common,
      attempt: 2,
      status: 200,
      requestId: 'req-1',
      headers: { 'set-cookie': '[redacted]' },
    })
  })

  it('break nothing when they throw, at once or later', async () => {
    const { client } = await serve((_, count) => (count === 1 ? 503 : { json: usage }))
    const fail = () => {
      throw new Error('hook')
    }
    const failLater = (() => Promise.reject(new Error('hook'))) as () => void
    const hooks = { onRequest: fail, onResponse: failLater, onRetry: fail }
    expect(await client({ hooks, onRateLimit: fail }).usage.get()).toEqual(usage)
  })
})

/** Runs with timers that pass at once, one after the other. */
async function withFakeTimers<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  try {
    let done = false
    const result = work().finally(() => (done = true))
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve))
      await vi.advanceTimersToNextTimerAsync()
    }
    return await result
  } finally {
    vi.useRealTimers()
  }
}
