import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { priceRecord } from '../../../test/cast.ts'
import { useDatabase } from '../../../test/postgres.ts'
import { ratecard } from '../../../test/process.ts'
import { importSource } from '../../feed/import-source.ts'
import { importPrices } from './import-prices.ts'
import type { PriceRecord } from './price-record.ts'
import { listPricePage } from './price-store.ts'

const database = useDatabase()
const source = 'test'

beforeEach(() => sql`truncate prices`.execute(database.db))

describe('importing makes the served records those of the reading', () => {
  test('the same again changes nothing: no updated_at moves', async () => {
    const records = recordsOf(300)
    const first = await importPrices(database.db, records, { source })
    const before = await updateTimes()
    expect([first.added.length, first.changed.length, first.unchanged]).toEqual([300, 0, 0])

    const second = await importPrices(database.db, records, { source })
    expect(second).toEqual({ added: [], changed: [], unchanged: 300 })
    expect(await updateTimes()).toEqual(before)
  })

  test('another spelling of the same amount is no change, and neither is another order of rows', async () => {
    await importPrices(database.db, recordsOf(5, { input_per_mtok: '0.2' }), { source })
    const respelled = recordsOf(5, { input_per_mtok: '0.2' }).toReversed()
    expect(await importPrices(database.db, respelled, { source })).toMatchObject({ unchanged: 5 })
  })

  test('only moved rows get a new updated_at, each its own microsecond, later than any before', async () => {
    await importPrices(database.db, recordsOf(50), { source })
    const before = await updateTimes()
    const movers = new Set(['acme:m00003', 'acme:m00020', 'acme:m00049'])
    const records = recordsOf(50).map((record) =>
      movers.has(record.resource_id) ? { ...record, output_per_mtok: '9' } : record,
    )

    const { added, changed, unchanged } = await importPrices(database.db, records, { source })

    expect([added.length, unchanged]).toEqual([0, 47])
    expect(changed).toEqual([...movers].map((id) => ({ id, fields: ['output_per_mtok'] })))
    const after = await updateTimes()
    const moved = [...after].filter(([id, time]) => before.get(id) !== time)
    expect(new Set(moved.map(([id]) => id))).toEqual(movers)
    const latestBefore = [...before.values()].sort().at(-1) ?? ''
    expect(moved.every(([, time]) => time > latestBefore)).toBe(true)
    expect(new Set(after.values()).size).toBe(50)
  })

  test.each([
    ['a price that becomes unknown', { input_per_mtok: null }, 'input_per_mtok'],
    ['a link', { product_id: null }, 'product_id'],
    ['a date', { effective_at: '2026-01-31' }, 'effective_at'],
    ['the smallest step of a price', { input_per_mtok: '0.200000001' }, 'input_per_mtok'],
  ])('%s is a change', async (_, values, field) => {
    await importPrices(database.db, recordsOf(1), { source })
    const { changed } = await importPrices(database.db, recordsOf(1, values), { source })
    expect(changed).toEqual([{ id: 'acme:m00000', fields: [field] }])
  })

  test('a row that vanishes from its source stays as it was', async () => {
    await importPrices(database.db, recordsOf(3), { source })
    const before = await updateTimes()
    await importPrices(database.db, recordsOf(1), { source })
    await importPrices(database.db, [], { source })
    expect(await updateTimes()).toEqual(before)
  })

  test('a dry run reports the same and writes nothing', async () => {
    await importPrices(database.db, recordsOf(3), { source })
    const before = await updateTimes()
    const records = recordsOf(5, { output_per_mtok: '7' })
    const dry = await importPrices(database.db, records, { source, dryRun: true })
    expect([dry.added.length, dry.changed.length]).toEqual([2, 3])
    expect(await updateTimes()).toEqual(before)
    expect(await importPrices(database.db, records, { source })).toEqual(dry)
  })

  test('a failure in the last of several chunks leaves the state before', async () => {
    await importPrices(database.db, recordsOf(3), { source })
    const before = await updateTimes()
    const bad = priceRecord({ resource_id: 'acme:bad', input_per_mtok: '-1' })
    const records = [...recordsOf(4_500, { output_per_mtok: '7' }), bad]
    await expect(importPrices(database.db, records, { source })).rejects.toThrow(/check constraint/)
    expect(await updateTimes()).toEqual(before)
  })

  test('50,000 rows are imported, and found unchanged, in bounded time', { timeout: 120_000 }, async () => {
    const records = recordsOf(50_000)
    const progress: number[] = []
    const started = performance.now()
    await importPrices(database.db, records, { source, onProgress: (done) => progress.push(done) })
    const firstMs = performance.now() - started
    const again = await importPrices(database.db, records, { source })
    const secondMs = performance.now() - started - firstMs
    console.log(`50,000 rows: ${Math.round(firstMs)} ms, the same again ${Math.round(secondMs)} ms`)
    expect(again.unchanged).toBe(50_000)
    expect(progress.at(-1)).toBe(50_000)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(firstMs).toBeLessThan(60_000)
    expect(secondMs).toBeLessThan(30_000)
    await sql`truncate prices`.execute(database.db)
  })
})

test('who polls with since misses nothing while two importers write', { timeout: 120_000 }, async () => {
  // Each step of an importer moves some of twenty rows to a price that no other step has.
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
        const { rows } = await listPricePage(database.db, { since }, { cursor: null, limit: 1_000 })
        for (const row of rows) seen.set(row.resource_id, row.input_per_mtok)
        times = times.concat(rows.map((row) => row.updated_at).filter((time) => time !== since))
        since = rows[0]?.updated_at ?? since
      }
      const reader = (async () => {
        while (writing) await poll()
      })()
      await Promise.all([runImporter(left, 1_000), runImporter(right, 2_000)])
      writing = false
      await reader
      await poll()

      const { rows } = await listPricePage(database.db, {}, { cursor: null, limit: 1_000 })
      expect(seen).toEqual(new Map(rows.map((row) => [row.resource_id, row.input_per_mtok])))
      expect(new Set(times).size).toBe(times.length)
    }),
    { numRuns: 25 },
  )
})

const folder = process.env.PRICE_DATA_DIR
const title =
  folder === undefined ? 'files as published (skipped: PRICE_DATA_DIR is not set)' : 'files as published'
describe.skipIf(folder === undefined)(title, () => {
  const pathOf = (name: string) => join(folder ?? '', 'litellm', name)
  const now = new Date('2026-08-01T12:00:00Z')

  test('litellm, a whole file by the command: all rows but the refused; the second import has 0 changes', async () => {
    const env = { DATABASE_URL: database.url }
    const file = pathOf('model_prices_2026-08-01.json')
    const args = ['prices', 'import', '--source', 'litellm', '--file', file, '--json']
    const started = performance.now()
    const first = await ratecard(args, env)
    const firstMs = performance.now() - started
    expect([first.exitCode, first.stderr]).toEqual([0, ''])
    const report = JSON.parse(first.stdout) as ImportDocument
    const keys = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)
    console.log(
      `litellm: ${report.added} added, ${report.rejected} refused of ${keys.length} in ${Math.round(firstMs)} ms`,
    )
    expect(report.added + report.rejected).toBe(keys.length)
    expect(report.rejections).toHaveLength(report.rejected)
    expect(report.rejections.every(({ id, reason }) => keys.includes(id) && reason !== '')).toBe(true)
    expect(firstMs).toBeLessThan(20_000)

    const before = await updateTimes()
    const second = JSON.parse((await ratecard(args, env)).stdout) as ImportDocument
    expect(second).toMatchObject({ added: 0, changed: 0, unchanged: report.added, changes: [] })
    expect(await updateTimes()).toEqual(before)
  })

  test('litellm, day after day: a day moves only what moved; each day again moves nothing', async () => {
    const days = readdirSync(pathOf('daily')).sort().slice(0, 5)
    const counts: string[] = []
    for (const day of days) {
      const text = gunzipSync(readFileSync(pathOf(`daily/${day}`))).toString()
      const before = await updateTimes()
      const { added, changed } = await importSource(database.db, 'litellm', { text, now })
      const after = await updateTimes()
      const moved = [...after].filter(([id, time]) => before.get(id) !== time).map(([id]) => id)
      expect(new Set(moved)).toEqual(new Set([...added, ...changed].map(({ id }) => id)))
      expect(after.size).toBe(before.size + added.length)
      const again = await importSource(database.db, 'litellm', { text, now })
      expect([again.added, again.changed]).toEqual([[], []])
      counts.push(`${day.slice(13, 26)}: +${added.length} ~${changed.length}`)
    }
    console.log(counts.join(', '))
  })

  test('no served number has float dust', async () => {
    const text = readFileSync(pathOf('model_prices_2026-08-01.json'), 'utf8')
    await importSource(database.db, 'litellm', { text, now })
    await importSource(database.db, 'genai-prices', { now })
    const { rows } = await listPricePage(database.db, {}, { cursor: null, limit: 100_000 })
    const numbers = rows.flatMap((row) =>
      Object.entries(row).flatMap(([field, value]) => (/_per_/.test(field) && value !== null ? [value] : [])),
    )
    expect(numbers.length).toBeGreaterThan(5_000)
    const dusty = numbers.filter((value) => {
      const digits = Number(value).toExponential().split('e')[0]?.replace('.', '') ?? ''
      return typeof value !== 'number' || digits.length > 12
    })
    expect(dusty).toEqual([])
  })

  test('a file that breaks off is refused whole', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'ratecard-half-'))
    const half = join(temporary, 'half.json')
    const text = readFileSync(pathOf('model_prices_2026-08-01.json'), 'utf8')
    await writeFile(half, text.slice(0, text.length / 2))
    const args = ['prices', 'import', '--source', 'litellm', '--file', half, '--json']
    const { exitCode, stdout } = await ratecard(args, { DATABASE_URL: database.url })
    await rm(temporary, { recursive: true })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect((await updateTimes()).size).toBe(0)
  })
})

interface ImportDocument {
  added: number
  rejected: number
  rejections: { id: string; reason: string }[]
}

function recordsOf(count: number, values: Partial<PriceRecord> = {}): PriceRecord[] {
  return Array.from({ length: count }, (_, index) =>
    priceRecord({ resource_id: `acme:m${String(index).padStart(5, '0')}`, ...values }),
  )
}

async function runImporter(steps: readonly number[][], firstPrice: number): Promise<void> {
  for (const [place, rows] of steps.entries()) {
    const records = rows.map((row) =>
      priceRecord({ resource_id: `acme:${row}`, input_per_mtok: String(firstPrice + place) }),
    )
    await importPrices(database.db, records, { source })
  }
}

async function updateTimes(): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; time: string }>`
    select resource_id as id, to_char(updated_at, 'YYYY-MM-DD HH24:MI:SS.US') as time from prices`.execute(
    database.db,
  )
  return new Map(rows.map(({ id, time }) => [id, time]))
}
