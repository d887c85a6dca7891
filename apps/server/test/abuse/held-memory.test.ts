import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { KeyedSemaphore } from '../../src/platform/keyed-semaphore.ts'
import { KnownRequests } from '../../src/http/lists/known-requests.ts'
import { preferredCoding } from '../../src/http/pipeline/codings.ts'
import { ListBytes } from '../../src/http/lists/list-bytes.ts'
import { ListCache } from '../../src/http/lists/list-cache.ts'
import type { ListQuery } from '../../src/http/lists/list-query.ts'
import type { UnitVerdict } from '../../src/features/metering/meter.ts'

// Caches keyed by clients' input: each gets more different values than it may keep, and does not grow.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const mib = 1_024 * 1_024

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
  const known = new KnownRequests()
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
  const lru = new LRUCache<string, ListBytes>({ maxSize: 24 * mib })
  const list = { current: new ListBytes('1', Buffer.alloc(0)) }
  const store = new ListCache(lru, { read: () => Promise.resolve(list.current), readReplica: null })
  const reserve = () => Promise.resolve({ kind: 'granted' } as UnitVerdict)
  for (let n = 0; n < 2_000; n += 1) {
    const key = `prices ${n}`
    const page = new ListBytes('1', Buffer.alloc(50_000, n))
    list.current = page
    await store.get({ key } as ListQuery, { reserve })
    if (n % 100 === 0) await Promise.all([page.encode('br'), page.encode('gzip')])
    store.resize(key, page)
    expect(lru.calculatedSize).toBeLessThanOrEqual(24 * mib)
  }
  expect(lru.size).toBeLessThan(520)
})

test('semaphores: 100,000 keys that came once', async () => {
  const semaphore = new KeyedSemaphore({ max: 4, timeoutMs: 1_000 })
  const growth = await growthOf(async () => {
    for (let n = 0; n < 100_000; n += 1) await semaphore.run(`key ${n}`, () => Promise.resolve())
  })
  expect(growth).toBeLessThan(2 * mib)
})

test('semaphores: a task that fails hands its permit on', async () => {
  const semaphore = new KeyedSemaphore({ max: 1, timeoutMs: 200 })
  for (let n = 0; n < 50; n += 1) {
    await expect(semaphore.run('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  }
  await expect(semaphore.run('key', () => Promise.resolve('yes'))).resolves.toBe('yes')
})
