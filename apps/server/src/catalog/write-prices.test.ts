import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { priceRecord, storePrices } from '../../test/support/actors.ts'
import { useDatabase } from '../../test/support/postgres.ts'
import type { PriceRecord } from './price-record.ts'
import { listPrices } from './price-store.ts'
import type { Rate } from './rate-card.ts'
import { writePrices } from './write-prices.ts'

const database = useDatabase()

beforeEach(() => sql`truncate prices, price_versions, rate_cards`.execute(database.db))

describe('writing moves only what moves', () => {
  test('the same again changes nothing: no updated_at moves', async () => {
    const records = recordsOf(300)
    expect(await write(records)).toBe(300)
    const before = await updateTimes()
    expect(await write(records.toReversed())).toBe(0)
    expect(await updateTimes()).toEqual(before)
  })

  test('only moved rows get a new updated_at, each its own microsecond, later than any before', async () => {
    await write(recordsOf(50))
    const before = await updateTimes()
    const movers = new Set(['acme:m00003', 'acme:m00020', 'acme:m00049'])
    const records = recordsOf(50).map((record) =>
      movers.has(record.resource_id) ? { ...record, output_per_mtok: '9' } : record,
    )
    expect(await write(records)).toBe(3)
    const after = await updateTimes()
    const moved = [...after].filter(([id, time]) => before.get(id) !== time)
    expect(new Set(moved.map(([id]) => id))).toEqual(movers)
    const latestBefore = [...before.values()].sort().at(-1) ?? ''
    expect(moved.every(([, time]) => time > latestBefore)).toBe(true)
    expect(new Set(after.values()).size).toBe(50)
  })

  test.each([
    ['a price that becomes unknown', { input_per_mtok: null }],
    ['a link', { product_id: null }],
    ['a date', { effective_at: '2026-01-31' }],
    ['the smallest step of a price', { input_per_mtok: '0.200000001' }],
  ])('%s is a move', async (_, values) => {
    await write(recordsOf(1))
    expect(await write(recordsOf(1, values))).toBe(1)
  })

  test('every state is kept, with where it came from, and none that was not', async () => {
    await write(recordsOf(2))
    await write(recordsOf(2))
    await write(recordsOf(1, { input_per_mtok: '0.3' }))
    const { rows } = await sql<{ id: string; input: string; source: string }>`
      select resource_id as id, record ->> 'input_per_mtok' as input, source from price_versions
      order by resource_id, updated_at`.execute(database.db)
    expect(rows).toEqual([
      { id: 'acme:m00000', input: '0.2', source: 'test' },
      { id: 'acme:m00000', input: '0.3', source: 'test' },
      { id: 'acme:m00001', input: '0.2', source: 'test' },
    ])
  })

  test('a rate card is replaced whole, and moves no price', async () => {
    const rate: Rate = {
      meter: 'input_tokens',
      unit: '1m_tokens',
      amount: '0.1',
      service_tier: 'batch',
      variant: null,
      threshold: null,
      hours: null,
    }
    const long = { ...rate, service_tier: null, threshold: 200_000, amount: '0.4' }
    await write(recordsOf(1), [rate, long])
    expect(await write(recordsOf(1), [{ ...long, amount: '0.5' }])).toBe(0)
    const cards = await database.db
      .selectFrom('rate_cards')
      .select(['resource_id', 'meter', 'service_tier', 'threshold', 'amount'])
      .execute()
    expect(cards).toEqual([
      {
        resource_id: 'acme:m00000',
        meter: 'input_tokens',
        service_tier: null,
        threshold: 200_000,
        amount: '0.500000000',
      },
    ])
  })

  test('a failure in the last of several chunks leaves the state before', async () => {
    await write(recordsOf(3))
    const before = await updateTimes()
    const bad = priceRecord({ resource_id: 'a'.repeat(513) })
    await expect(write([...recordsOf(4_500, { output_per_mtok: '7' }), bad])).rejects.toThrow(
      /check constraint/,
    )
    expect(await updateTimes()).toEqual(before)
  })
})

test('who polls with since misses nothing while two writers write', { timeout: 120_000 }, async () => {
  // Each step of a writer moves some of twenty rows to a price that no other step has.
  const steps = fc.array(fc.uniqueArray(fc.nat(19), { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(steps, steps, async (left, right) => {
      await sql`truncate prices`.execute(database.db)
      const seen = new Map<string, number | null | undefined>()
      let since: string | undefined
      let times: string[] = []
      let writing = true
      const poll = async () => {
        const { rows } = await listPrices(database.db, { since }, { cursor: null, limit: 1_000 })
        for (const row of rows) seen.set(row.resource_id, row.input_per_mtok)
        times = times.concat(rows.map((row) => row.updated_at).filter((time) => time !== since))
        since = rows[0]?.updated_at ?? since
      }
      const reader = (async () => {
        while (writing) await poll()
      })()
      await Promise.all([runWriter(left, 1_000), runWriter(right, 2_000)])
      writing = false
      await reader
      await poll()

      const { rows } = await listPrices(database.db, {}, { cursor: null, limit: 1_000 })
      expect(seen).toEqual(new Map(rows.map((row) => [row.resource_id, row.input_per_mtok])))
      expect(new Set(times).size).toBe(times.length)
    }),
    { numRuns: 25 },
  )
})

function recordsOf(count: number, values: Partial<PriceRecord> = {}): PriceRecord[] {
  return Array.from({ length: count }, (_, index) =>
    priceRecord({ resource_id: `acme:m${String(index).padStart(5, '0')}`, ...values }),
  )
}

/** Returns how many moved. */
async function write(records: readonly PriceRecord[], rates: readonly Rate[] = []): Promise<number> {
  const writes = records.map((record) => ({ record, source: 'test', rates }))
  const moved = await database.db
    .transaction()
    .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: '2026-01-31T12:00:00Z' }))
  return moved.length
}

async function runWriter(steps: readonly number[][], firstPrice: number): Promise<void> {
  for (const [place, rows] of steps.entries()) {
    const records = rows.map((row) =>
      priceRecord({ resource_id: `acme:${row}`, input_per_mtok: String(firstPrice + place) }),
    )
    await storePrices(database.db, records)
  }
}

async function updateTimes(): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; time: string }>`
    select resource_id as id, to_char(updated_at, 'YYYY-MM-DD HH24:MI:SS.US') as time from prices`.execute(
    database.db,
  )
  return new Map(rows.map(({ id, time }) => [id, time]))
}
