import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Ratecard, ServiceUnavailableError } from '../../src/index.ts'
import { createFakeRatecard } from '../../src/testing.ts'

// What the README says of time: a scripted outage costs a test none.

const fake = createFakeRatecard()
const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
afterEach(() => fake.reset())

describe('with faked timers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('two 503 are ridden out in no time', async () => {
    fake.failNext({ status: 503, times: 2 })
    const answer = client.usage.get()
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await answer).plan).toBe('developer')
    expect(fake.requests.map(({ status }) => status)).toEqual([503, 503, 200])
  })

  test('a hanging answer ends by timeoutMs', async () => {
    fake.failNext({ delayMs: Infinity })
    const answer = client.usage.get({ maxRetries: 0 }).catch((error: Error) => error.name)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await answer).toBe('TimeoutError')
  })

  test('poll finds what was published in the pause', async () => {
    const titles: string[] = []
    const stop = new AbortController()
    const following = (async () => {
      const since = fake.now()
      for await (const change of client.changes.poll({ since, signal: stop.signal }))
        titles.push(change.title)
    })().catch((error: Error) => error.name)
    await vi.advanceTimersByTimeAsync(1)
    expect(titles).toEqual([])
    fake.putChanges({ title: 'In the pause' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(titles).toEqual(['In the pause'])
    stop.abort()
    expect(await following).toBe('RequestAbortedError')
  })

  // No timer goes on here: a wait would never end.
  test('without retries a 503 is told at once', async () => {
    fake.failNext({ status: 503 })
    await expect(client.usage.get({ maxRetries: 0 })).rejects.toBeInstanceOf(ServiceUnavailableError)
    expect(fake.requests).toHaveLength(1)
  })
})
