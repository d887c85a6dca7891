import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSourceClaims } from '../src/catalog/product-store.ts'
import { listSourceStatus } from '../src/ingest/publish/source-status.ts'
import { readRefusals } from '../src/ingest/review/refusals.ts'
import { runSource } from '../src/ingest/run/run-source.ts'
import { sources } from '../src/ingest/sources/index.ts'
import { createFeeder, litellmFile, manyModels, publishedBy, type Model } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// Files that are damaged, and rows that are: whole runs against what is loaded. Faults of a whole file that can be read
// are in feed-guards.test.ts, moves in feed.test.ts.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const folder = mkdtempSync(join(tmpdir(), 'ratecard-faults-'))
const path = join(folder, 'prices.json')
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00Z`
const alpha = { input: 2, output: 8 }
const base = { ...manyModels(40), alpha }
const good = litellmFile(base)
const runFile = (at: string, content: string | Uint8Array) => {
  writeFileSync(path, content)
  return runSource(database.db, { source: 'litellm', location: { path }, observedAt: at, alerts: null })
}

describe('a file that is', () => {
  const damaged: [string, string | Uint8Array, RegExp][] = [
    ['cut off', good.slice(0, -100), /not JSON/],
    ['a page that answers 200', '<!doctype html><html>', /not JSON/],
    ['empty', '', /not JSON/],
    ['no list of models', '{}', /none of its entries is a model/],
    ['a list', '[]', /top level is not an object/],
    ['null', 'null', /top level is not an object/],
    ['written with NaN', good.replace('0.000002', 'NaN'), /not JSON/],
    [
      'without a seller in any row',
      good.replaceAll('litellm_provider', 'seller'),
      /none of its entries is a model/,
    ],
    ['in latin-1', Buffer.from(good.replace('alpha', 'é'), 'latin1'), /not text in UTF-8/],
    ['in UTF-16', Buffer.from(`\ufeff${good}`, 'utf16le'), /not text in UTF-8/],
    ['packed with deflate', deflateSync(good), /not text in UTF-8/],
    ['packed with gzip and cut off', gzipSync(good).subarray(0, -20), /damaged gzip/],
  ]
  test.each(damaged)('%s is refused, and nothing that is served moves', async (_, content, message) => {
    await runFile(day(1), good)
    const before = await served()
    await expect(runFile(day(2), content)).rejects.toThrow(message)
    expect(await served()).toEqual(before)
    expect(await runFile(day(3), good)).toMatchObject({ outcome: 'applied', changed: [], changes: [] })
  })

  test('of 205 MB is refused before it is read to its end', async () => {
    writeFileSync(path, '')
    truncateSync(path, 205_000_000)
    const run = runSource(database.db, {
      source: 'litellm',
      location: { path },
      observedAt: day(1),
      alerts: null,
    })
    await expect(run).rejects.toThrow('larger than 20 MB')
  })

  test('refused leaves what the loaded state is called as it was, whether it is theirs or a fault of ours', async () => {
    await runFile(day(1), good)
    const versions = async () =>
      (await readSourceClaims(database.db, ['acme:alpha'])).map(({ version }) => version)
    const loaded = await versions()
    expect(loaded).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)])
    await expect(runFile(day(2), gzipSync(good).subarray(0, -20))).rejects.toThrow()
    const read = vi.spyOn(sources.litellm, 'read').mockImplementation(() => {
      throw new TypeError('rows is undefined')
    })
    await expect(runFile(day(3), good)).rejects.toThrow(TypeError)
    read.mockRestore()
    expect(await versions()).toEqual(loaded)
    expect(await readRefusals(database.db)).toMatchObject([
      { source: 'litellm', since: '2026-03-02T00:00:00.000000Z', runs: 2, version: loaded[0] },
    ])
    await runFile(day(4), good)
    expect(await readRefusals(database.db)).toEqual([])
  })

  test('not to be had leaves the age of the reading as it was, which alerts watch', async () => {
    await runFile(day(1), good)
    const location = { url: 'file:///none' }
    const run = runSource(database.db, { source: 'litellm', location, alerts: null })
    await expect(run).rejects.toThrow('there is no such file')
    const [status] = await listSourceStatus(database.db)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from ratecard_now() - ${day(1)}::timestamptz)::float8 as seconds`.execute(
      database.db,
    )
    expect(status).toMatchObject({ outcome: 'unreachable', rows: 41 })
    expect(Math.abs(status!.age_seconds - rows[0]!.seconds)).toBeLessThan(60)
  })

  const odd: [string, string | Uint8Array][] = [
    ['marked as UTF-8', `\ufeff${good}`],
    ['packed with gzip, whatever its name', gzipSync(good)],
    ['written with numbers as text', good.replaceAll(/:([0-9.e-]+)/g, ':"$1"')],
    ['one with a key twice', good.replace('{', '{"acme/alpha":{"litellm_provider":"acme"},')],
  ]
  test.each(odd)('%s is read like any other', async (_, content) => {
    await runFile(day(1), good)
    expect(await runFile(day(2), content)).toMatchObject({
      ...{ outcome: 'applied', unchanged: 41, changed: [], rejected: [], changes: [] },
    })
  })
})

describe('a row that states', () => {
  const row = (text: string) => good.replace(/("acme\/alpha":.*?"input_cost_per_token":)[^,]+/, `$1${text}`)

  test.each(['-0.5', '"free"', 'true', '"0x10"', '[1]', '{"usd":1}', '1e308', '1e999'])(
    '%s is refused, and its price stays',
    async (text) => {
      await feed(day(1), good)
      const before = await served()
      for (const at of [day(2), day(9)]) {
        const report = await feed(at, row(text))
        expect(report).toMatchObject({ outcome: 'applied', changed: [], changes: [], gone: [] })
        expect(report.rejected.map(({ id }) => id)).toEqual(['acme/alpha'])
      }
      expect(await served()).toEqual(before)
    },
  )

  test.each(['null', '-1', '"-1"'])('%s keeps its price while another list has it', async (text) => {
    const genai = [{ id: 'acme', models: [{ id: 'alpha', prices: { input_mtok: 2, output_mtok: 8 } }] }]
    await feed(day(1), good)
    await feed(day(1), JSON.stringify(genai), { source: 'genai-prices' })
    for (const at of [day(2), day(9)]) {
      expect(publishedBy(await feed(at, row(text)))).toEqual([])
      expect(await inputOf('acme:alpha')).toBe('2')
    }
    // Alone it keeps it for a day.
    const prices = [{ id: 'acme', models: [{ id: 'alpha', prices: {} }] }]
    await feed(day(9), JSON.stringify(prices), { source: 'genai-prices' })
    expect(await inputOf('acme:alpha')).toBe('2')
  })

  test('a key with a NUL is refused, and the run is taken', async () => {
    await feed(day(1), good)
    const report = await feed(day(2), good.replace('acme/alpha', String.raw`acme/al\u0000pha`))
    expect(report).toMatchObject({ outcome: 'applied', changes: [] })
    expect(report.rejected).toMatchObject([{ id: 'acme/al\ufffdpha' }])
    expect(await feed(day(2), good)).toMatchObject({ outcome: 'applied', rejected: [] })
  })
})

describe('a slip of the unit', () => {
  test('of 40 rows of one platform is never told as a rise', async () => {
    await feed(day(1), good)
    const dear = litellmFile({ ...manyModels(40, { input: 18, output: 72 }), alpha })
    const first = await feed(day(2), dear)
    expect([first.outcome, first.changes, first.held.length]).toEqual(['applied', [], 40])
    expect(await inputOf('acme:m0')).toBe('2')
    const later = await feed(day(13), dear)
    expect(new Set(later.changes.map(({ category }) => category))).toEqual(new Set(['correction']))
    expect(await inputOf('acme:m0')).toBe('18')
  })

  test.each([1_000, 100, 0.001])('of a batch price by %d is no news', async (factor) => {
    const withBatch = (batch: number): Record<string, Model> => ({
      ...base,
      alpha: { ...alpha, more: { input_cost_per_token_batches: batch } },
    })
    await feed(day(1), litellmFile(withBatch(0.000_001)))
    const report = await feed(day(2), litellmFile(withBatch(0.000_001 * factor)))
    expect(report.changes).toEqual([])
    expect(report.held).toMatchObject([{ resource_id: 'acme:alpha', reason: 'card' }])
  })
})

test('two runs of one file at a time are one after the other: the second changes nothing', async () => {
  const reports = await Promise.all([feed(day(1), good), feed(day(1), good)])
  expect(reports.map(({ added, unchanged }) => [added.length, unchanged]).sort()).toEqual([
    ...[
      [0, 41],
      [41, 0],
    ],
  ])
})

async function served(): Promise<unknown> {
  const { rows } = await sql`select * from prices order by resource_id`.execute(database.db)
  return rows
}

async function inputOf(id: string): Promise<string | null> {
  const { rows } = await sql<{ input: string | null }>`
    select trim_scale(input_per_mtok)::text as input from prices where resource_id = ${id}`.execute(
    database.db,
  )
  return rows[0]?.input ?? null
}
