import { expect, test } from 'vitest'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()

test('50,000 rows are written, and found unmoved, in bounded time', async () => {
  const writes = Array.from({ length: 50_000 }, (_, index) => ({
    record: priceRecord({ resource_id: `acme:m${index}` }),
    source: 'test',
    rates: [],
  }))
  const started = performance.now()
  expect(await write()).toBe(50_000)
  const firstMs = performance.now() - started
  expect(await write()).toBe(0)
  const secondMs = performance.now() - started - firstMs
  console.log(`50,000 rows: ${Math.round(firstMs)} ms, the same again ${Math.round(secondMs)} ms`)
  expect(firstMs).toBeLessThan(60_000)
  expect(secondMs).toBeLessThan(30_000)

  async function write(): Promise<number> {
    const moved = await database.db
      .transaction()
      .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: '2026-01-31T12:00:00Z' }))
    return moved.length
  }
})
