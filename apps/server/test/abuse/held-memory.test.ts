import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { planTable } from '../../src/features/entitlements/plans.ts'
import { Turns } from '../../src/features/metering/turns.ts'
import { KnownRequests } from '../../src/http/known-requests.ts'
import { PageBytes, preferredCoding } from '../../src/http/codings.ts'
import { PageStore } from '../../src/http/page-store.ts'
import { Lru } from '../../src/platform/lru.ts'
import { useApi } from '../api.ts'
import { createCustomer, priceRecord, storePrices } from '../cast.ts'
import { useDatabase } from '../postgres.ts'
import { exchange, head } from '../raw-http.ts'

// What is remembered by what a client sends: each is given more different values than it may keep, and does not grow.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const mib = 1_024 * 1_024
const plans = planTable({ dailyLimits: { scale: 1, team: 1, enterprise: 1 }, keysMaxFree: 1, keysMaxPaid: 1 })

/** How much more the heap holds after the work, in bytes. */
async function growthOf(work: () => unknown): Promise<number> {
  collect()
  const before = process.memoryUsage().heapUsed
  await work()
  collect()
  return process.memoryUsage().heapUsed - before
}

test('codings: 20,000 headers of 1 KiB, which would be 20 MiB', async () => {
  const growth = await growthOf(() => {
    for (let n = 0; n < 20_000; n += 1) preferredCoding(`gzip;q=0.${n}${'x'.repeat(1_024)}`)
  })
  expect(growth).toBeLessThan(2 * mib)
})

test('targets: 200,000 of them, which would be over 100 MiB', async () => {
  const known = new KnownRequests(plans)
  const growth = await growthOf(() => {
    for (let n = 0; n < 200_000; n += 1) {
      const target = `/v1/prices?vendor=${n}`
      known.remember(target, { operation: 'listPrices', key: target, access: 'full' })
    }
  })
  expect(known.bytes).toBeLessThanOrEqual(8 * mib)
  expect(growth).toBeLessThan(16 * mib)
})

test('pages: 2,000 of 50 KB in three codings, which would be over 100 MiB', async () => {
  const lru = new Lru<PageBytes>(24 * mib)
  const store = new PageStore(lru)
  const granted = () => Promise.resolve({ kind: 'unknown' } as never)
  for (let n = 0; n < 2_000; n += 1) {
    const key = `prices ${n}`
    const page = new PageBytes('1', Buffer.alloc(50_000, n))
    await store.reserve({ key, read: () => Promise.resolve(page), reserve: granted })
    if (n % 100 === 0) await Promise.all([page.encode('br'), page.encode('gzip')])
    store.resize(key, page)
    expect(lru.cost).toBeLessThanOrEqual(24 * mib)
  }
  expect(lru.size).toBeLessThan(520)
})

test('turns: 100,000 keys that came once', async () => {
  const turns = new Turns({ max: 4, timeoutMs: 1_000 })
  const growth = await growthOf(async () => {
    for (let n = 0; n < 100_000; n += 1) await turns.take(`key ${n}`, () => Promise.resolve())
  })
  expect(growth).toBeLessThan(2 * mib)
})

test('turns: a work that fails gives its turn back', async () => {
  const turns = new Turns({ max: 1, timeoutMs: 200 })
  for (let n = 0; n < 50; n += 1) {
    await expect(turns.take('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  }
  await expect(turns.take('key', () => Promise.resolve('yes'))).resolves.toBe('yes')
})

describe('a server', () => {
  const database = useDatabase()
  const api = useApi(database)
  beforeAll(() => storePrices(database.db, [priceRecord({ resource_id: 'acme:1' })]))

  test('has no figure more for paths, methods, keys, headers and queries that clients make up', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const made = (n: number) =>
      [
        head(`GET /made/up/${n}`),
        head(`GET /v1/prices?made_up_${n}=1`, `Authorization: Bearer ${key}`),
        head(`GET /v1/prices?vendor=made_up_${n}`, `Authorization: Bearer ${key}`),
        head(`GET /v1/prices`, `Authorization: Bearer rc_live_${n}`),
        head(`${['PROPFIND', 'TRACE', 'PURGE', 'LOCK'][n % 4]} /v1/prices`, `X-Made-Up-${n}: ${n}`),
        head(`DELETE /v1/webhooks/made_up_${n}`, `Authorization: Bearer ${key}`),
        head(`GET /changes/made_up_${n}`),
        head(`GET /dashboard/api/made-up/${n}`),
        head('GET /health', `User-Agent: ${n}`, 'Connection: close'),
      ].join('')
    const send = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) await exchange(api.url, made(n))
    }
    const series = async () =>
      (await api.metrics.render())
        .split('\n')
        .filter((line) => line.startsWith('ratecard_http'))
        .map((line) => line.split(' ')[0])
    await send(0, 8)
    const before = await series()
    expect(before.length).toBeGreaterThan(10)
    await send(8, 60)
    expect(await series()).toEqual(before)
  })
})
