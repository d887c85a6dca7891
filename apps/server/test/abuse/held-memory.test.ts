import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { planTable } from '../../src/features/entitlements/plans.ts'
import { Turns } from '../../src/features/metering/turns.ts'
import { KnownRequests } from '../../src/http/known-requests.ts'
import { preferredCoding } from '../../src/http/codings.ts'
import { PageBytes } from '../../src/http/page-bytes.ts'
import { PageStore } from '../../src/http/page-store.ts'
import { Lru } from '../../src/platform/lru.ts'

// Caches keyed by clients' input: each gets more different values than it may keep, and does not grow.

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
