import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnswerCache, Budget } from '../src/budget.ts'
import { LocalPrices } from '../src/local-prices.ts'
import { buildStamp } from '../src/prices.ts'
import { listen, snapshotOf } from './support.ts'

// What a long session meets: prices that move, a server that goes away and comes back, a day that ends.

const start = Date.UTC(2026, 10, 23, 12)
const [second, minute, hour] = [1_000, 60_000, 3_600_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => void vi.useRealTimers())

test('prices are looked at once an hour; an outage is told and asked again after a minute', async () => {
  let version = 1
  let isDown = false
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(isDown ? 503 : 200)
    response.end(JSON.stringify({ ...snapshotOf(2), catalog_version: String(version) }))
  })
  const baseUrl = await listen(server)
  const settings = { snapshot: null, baseUrl, apiKey: null, allowHttp: false, requestsPerDayMax: 0 }
  const source = new LocalPrices(settings, null, new Budget(0))
  /** What is there, after a look that it may have begun. */
  const settled = async () => {
    await source.get()
    await source.idle()
    return buildStamp(await source.get())
  }
  expect(await settled()).toMatchObject({ origin: 'url', version: '1', note: null })
  await Promise.all([source.get(), source.get()])
  expect(asked).toBe(1)

  version = 2
  vi.setSystemTime(start + hour)
  expect(await settled()).toMatchObject({ version: '2', note: null })
  expect(asked).toBe(2)

  isDown = true
  vi.setSystemTime(start + 2 * hour)
  expect(await settled()).toMatchObject({
    version: '2',
    note: expect.stringContaining('of the last time') as string,
  })
  await settled()
  expect(asked).toBe(3)

  isDown = false
  version = 3
  vi.setSystemTime(start + 2 * hour + minute)
  expect(await settled()).toMatchObject({ version: '3', note: null })
})

test('a server that comes up later takes the place of the shipped prices', async () => {
  let isDown = true
  const server = createServer((_, response) => {
    response.writeHead(isDown ? 503 : 200).end(JSON.stringify(snapshotOf(2)))
  })
  const baseUrl = await listen(server)
  const settings = { snapshot: null, baseUrl, apiKey: null, allowHttp: false, requestsPerDayMax: 0 }
  const source = new LocalPrices(settings, null, new Budget(0))
  expect(buildStamp(await source.get())).toMatchObject({ origin: 'shipped' })
  isDown = false
  expect(buildStamp(await source.get())).toMatchObject({ origin: 'shipped' })
  vi.setSystemTime(start + minute)
  expect(buildStamp(await source.get())).toMatchObject({ origin: 'url', note: null })
})

test('a budget is of a minute and of a day of UTC', () => {
  const budget = new Budget(40)
  for (let count = 0; count < 30; count += 1) budget.take(start)
  expect(() => budget.take(start + 30 * second)).toThrow('Wait 30 seconds')
  for (let count = 0; count < 10; count += 1) budget.take(start + minute)
  expect(() => budget.take(start + hour)).toThrow('40 requests today')
  budget.take(start + 12 * hour)
})

test('what was allowed is counted once when it is sent, and a second try by itself', () => {
  const budget = new Budget(2)
  budget.take(start)
  budget.count(start)
  budget.count(start)
  expect(() => budget.take(start)).toThrow('2 requests today')
})

test('an answer is kept for a minute, a failure is not, and there are only so many', async () => {
  const cache = new AnswerCache<number>()
  let asked = 0
  const ask = () => Promise.resolve((asked += 1))
  expect(await cache.get('a', ask)).toEqual({ answer: 1, isKept: false })
  expect(await cache.get('a', ask)).toEqual({ answer: 1, isKept: true })
  vi.setSystemTime(start + minute)
  expect(await cache.get('a', ask)).toEqual({ answer: 2, isKept: false })
  await expect(cache.get('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await cache.get('b', ask)).toEqual({ answer: 3, isKept: false })
  for (let other = 0; other < 100; other += 1) await cache.get(`other ${other}`, ask)
  expect((await cache.get('a', ask)).isKept).toBe(false)
})
