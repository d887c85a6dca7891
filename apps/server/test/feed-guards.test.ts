import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readFloods } from '../src/ingest/review/floods.ts'
import { readRefusals } from '../src/ingest/review/refusals.ts'
import { listHolds } from '../src/ingest/review/review.ts'
import type { RunReport } from '../src/ingest/publish/run-report.ts'
import { createFeeder, litellmFile, manyModels, publishedBy } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from './support/price-files.ts'
import { runHere } from './support/run-here.ts'

// What is wrong with much of a file at once: it holds the rows or the column concerned, and the rest is taken.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const folder = mkdtempSync(join(tmpdir(), 'ratecard-guards-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const day = (date: number, time = '00:00:00') => `2026-03-${String(date).padStart(2, '0')}T${time}Z`
/** The last second before that day. */
const before = (date: number) => day(date - 1, '23:59:59')

type Row = Record<string, unknown>
type Change = (row: Row) => Row | undefined

/** 120 rows, of four platforms in turn. */
const good: [key: string, row: Row][] = ['acme', 'bolt', 'crux', 'dune']
  .flatMap((platform) =>
    Object.entries(JSON.parse(litellmFile(manyModels(30), platform)) as Record<string, Row>),
  )
  .sort(([a], [b]) => Number(a.split('/m')[1]) - Number(b.split('/m')[1]))

const idsOf = (rows: readonly [string, Row][]) => rows.map(([key]) => key.replace('/', ':')).sort()
const last = 'dune:m29'

/** The file with its first rows changed; undefined: without them. Its last row costs `rest` times as much. */
function fileWith(count: number, change: Change, rest = 1): string {
  return JSON.stringify(
    Object.fromEntries(
      good.flatMap(([key, row], index) => {
        const isLast = index === good.length - 1
        const next = index < count ? change(row) : isLast ? times(rest)(row) : row
        return next === undefined ? [] : [[key, next]]
      }),
    ),
  )
}

const times = (factor: number) => (row: Row) => ({
  ...row,
  input_cost_per_token: round(Number(row.input_cost_per_token) * factor),
  output_cost_per_token: round(Number(row.output_cost_per_token) * factor),
})
const round = (amount: number) => Number(amount.toPrecision(12))
const same: Change = (row) => row
const renamed: Change = ({ input_cost_per_token, ...row }) => ({ ...row, input_price: input_cost_per_token })
const nested: Change = (row) => ({ ...row, input_cost_per_token: { usd: row.input_cost_per_token } })
const unstorable: Change = (row) => ({ ...row, provider_specific_entry: { '\0': 1 } })
const gone: Change = () => undefined
const goodFile = fileWith(0, same)

interface Fault {
  name: string
  change: Change
  /** Why each row waits. */
  reason: string
  /** What is served of a row that is believed: input and output. */
  becomes: [string | null, string]
}

const alike: Fault[] = [
  { name: 'a renamed field', change: renamed, reason: 'bulk', becomes: [null, '8'] },
  { name: 'a factor of 1.3', change: times(1.3), reason: 'bulk', becomes: ['2.6', '10.4'] },
  { name: 'a factor of 1.05', change: times(1.05), reason: 'bulk', becomes: ['2.1', '8.4'] },
  { name: 'a factor of 0.92', change: times(0.92), reason: 'bulk', becomes: ['1.84', '7.36'] },
  { name: 'a factor of 2', change: times(2), reason: 'bulk', becomes: ['4', '16'] },
  { name: 'a factor of 100', change: times(100), reason: 'factor', becomes: ['200', '800'] },
  { name: 'zeroes', change: times(0), reason: 'to_zero', becomes: ['0', '0'] },
]

describe.each(alike)('of 26 rows $name', ({ change, reason, becomes }) => {
  const bad = fileWith(26, change, 0.9)
  const held = idsOf(good.slice(0, 26))

  test('holds those rows alone, and takes the rest of the file in the same run', async () => {
    await feed(day(1), goodFile)
    const report = await feed(day(2), bad)
    expect(report).toMatchObject({ outcome: 'applied', message: null, rejected: [], gone: [] })
    expect(report.held.map(({ resource_id }) => resource_id).sort()).toEqual(held)
    expect(new Set(report.held.map((hold) => hold.reason))).toEqual(new Set([reason]))
    expect(publishedBy(report)).toEqual([`price_cut ${last}`])
    expect([await priceOf('acme:m0'), await priceOf(last)]).toEqual([
      ['2', '8'],
      ['1.8', '7.2'],
    ])
    // They are in the review, once, and no source is shut out.
    await feed(day(3), bad)
    const open = await listHolds(database.db, { state: 'open' })
    expect(open.map(({ resource_id }) => resource_id).sort()).toEqual(held)
    expect(await readRefusals(database.db)).toEqual([])
  })

  test('leaves no trace when the good file comes again', async () => {
    await feed(day(1), goodFile)
    const was = await served()
    await feed(day(2), fileWith(26, change))
    const back = await feed(day(3), goodFile)
    expect(back).toMatchObject({ outcome: 'applied', changed: [], changes: [], held: [] })
    expect(await served()).toEqual(was)
    expect(await statesOfHolds()).toEqual({ withdrawn: 26 })
    expect(await feed(day(20), goodFile)).toMatchObject({ changed: [], changes: [], held: [] })
  })

  test('is believed after a week, or eleven days as a row that moves so alone, and is no news', async () => {
    const believed = reason === 'bulk' ? 9 : 13
    await feed(day(1), goodFile)
    await feed(day(2), bad)
    expect((await feed(before(believed), bad)).changes).toEqual([])
    expect(await priceOf('acme:m0')).toEqual(['2', '8'])
    const report = await feed(day(believed), bad)
    expect(report.changes.filter(({ category }) => category.startsWith('price_'))).toEqual([])
    expect(report.changed.map(({ id }) => id).sort()).toEqual(held)
    expect([await priceOf('acme:m0'), await priceOf('bolt:m5')]).toEqual([becomes, becomes])
    expect(await statesOfHolds()).toEqual({ confirmed: 26 })
    expect(await feed(day(believed + 1), bad)).toMatchObject({ changed: [], changes: [], held: [] })
  })

  test.each([
    ['at once', false],
    ['after it was looked at in the review', true],
  ])('is taken with --accept-file, %s', async (_, wasHeld) => {
    await feed(day(1), goodFile)
    if (wasHeld) await feed(day(2), bad)
    const report = await feed(day(2), bad, { acceptAll: true })
    expect(report).toMatchObject({ outcome: 'applied', message: null, held: [] })
    expect(await priceOf('acme:m0')).toEqual(becomes)
    expect(await listHolds(database.db, { state: 'open' })).toEqual([])
    expect(await feed(day(3), bad)).toMatchObject({ changed: [], changes: [], held: [] })
  })
})

describe('of 25 rows', () => {
  test.each(['1.3', '1.05', '0.92'])('a factor of %s is a price, and told', async (factor) => {
    await feed(day(1), goodFile)
    const report = await feed(day(2), fileWith(25, times(Number(factor))))
    expect([report.held, report.changed.length, report.changes.length]).toEqual([[], 25, 25])
  })

  test('a renamed field waits for a day', async () => {
    await feed(day(1), goodFile)
    const { held } = await feed(day(2), fileWith(25, renamed))
    expect([held.length, new Set(held.map(({ reason }) => reason))]).toEqual([25, new Set(['vanished'])])
    await feed(before(3), fileWith(25, renamed))
    expect(await priceOf('acme:m0')).toEqual(['2', '8'])
    await feed(day(3), fileWith(25, renamed))
    expect(await priceOf('acme:m0')).toEqual([null, '8'])
  })
})

test('rows that move by factors of their own are prices, however many they are', async () => {
  await feed(day(1), goodFile)
  let row = 0
  const spread = fileWith(119, (one) => times(1.01 + (row++ % 20) * 0.02)(one))
  const report = await feed(day(2), spread)
  expect([report.held, report.changed.length]).toEqual([[], 119])
})

test('rates beside amounts that wait are what they were', async () => {
  const withBatch = (factor: number) =>
    litellmFile(
      manyModels(30, {
        ...{ input: 2 * factor, output: 8 * factor },
        more: { input_cost_per_token_batches: round(0.000_001 * factor) },
      }),
    )
  await feed(day(1), withBatch(1))
  const was = await cards()
  const report = await feed(day(2), withBatch(0.92))
  expect([report.changes, report.changed, report.held.length, await cards()]).toEqual([[], [], 30, was])
  expect(await feed(day(3), withBatch(1))).toMatchObject({ changed: [], changes: [], held: [] })
  expect(await cards()).toEqual(was)
  await feed(day(4), withBatch(0.92))
  const later = await feed(day(11), withBatch(0.92))
  expect(later.changed).toHaveLength(30)
  expect(await cards()).not.toEqual(was)
})

test.each([
  [25, 3],
  [26, 9],
])('a rate that %d rows state no more leaves when that has stood (day %d)', async (count, until) => {
  const more = { input_cost_per_token_batches: 0.000_001 }
  const priced = { input: 2, output: 8 }
  const all = litellmFile(manyModels(30, { ...priced, more }))
  const lacking = litellmFile({ ...manyModels(30, { ...priced, more }), ...manyModels(count, priced) })
  await feed(day(1), all)
  const was = await cards()
  const report = await feed(day(2), lacking)
  expect([report.changes, new Set(report.held.map(({ reason }) => reason))]).toEqual([[], new Set(['card'])])
  await feed(before(until), lacking)
  expect(await cards()).toEqual(was)
  await feed(day(until), lacking)
  expect(await cards()).toHaveLength(30 - count)
  expect(await listHolds(database.db, { state: 'open' })).toEqual([])
})

test('rows that cannot be read any more stay, and the rest is taken', async () => {
  await feed(day(1), goodFile)
  const bad = fileWith(119, nested, 0.9)
  for (const date of [2, 12]) {
    const report = await feed(day(date), bad)
    expect(report).toMatchObject({ outcome: 'applied', held: [], gone: [] })
    expect(report.rejected).toHaveLength(119)
    expect(publishedBy(report)).toEqual(date === 2 ? [`price_cut ${last}`] : [])
    expect([await priceOf('acme:m0'), await priceOf(last)]).toEqual([
      ['2', '8'],
      ['1.8', '7.2'],
    ])
  }
  expect(publishedBy(await feed(day(13), fileWith(0, same, 0.9)))).toEqual([])
})

describe('rows that are gone', () => {
  const without = (count: number) => fileWith(count, gone, 0.9)
  const removals = (report: RunReport) =>
    publishedBy(report).filter((change) => change.startsWith('model_removed'))

  test('are believed after a day, if they are 25', async () => {
    await feed(day(1), goodFile)
    await feed(day(2), without(25))
    expect(removals(await feed(before(3), without(25)))).toEqual([])
    expect(removals(await feed(day(3), without(25)))).toHaveLength(25)
  })

  test('are believed after a week, if they are 26 at once, and the rest is taken', async () => {
    await feed(day(1), goodFile)
    const report = await feed(day(2), without(26))
    expect(report).toMatchObject({ outcome: 'applied', message: null, held: [] })
    expect([report.gone.length, publishedBy(report)]).toEqual([26, [`price_cut ${last}`]])
    for (const at of [day(3), before(9)]) expect(removals(await feed(at, without(26)))).toEqual([])
    expect(await priceOf('acme:m0')).toEqual(['2', '8'])
    expect(removals(await feed(day(9), without(26)))).toHaveLength(26)
    expect(removals(await feed(day(10), without(26)))).toEqual([])
  })

  test('were never away when the good file comes again', async () => {
    await feed(day(1), goodFile)
    const was = await served()
    for (const date of [2, 4, 8]) await feed(day(date), fileWith(100, gone))
    expect(await feed(day(9), goodFile)).toMatchObject({ changed: [], changes: [], gone: [] })
    expect(await served()).toEqual(was)
  })

  test.each([26, 119])('are gone at once with --accept-gone: %d', async (count) => {
    await feed(day(1), goodFile)
    await feed(day(2), without(count))
    const report = await feed(day(2), without(count), { acceptGone: true })
    expect(removals(report)).toHaveLength(count)
  })
})

test('a file without a row that can be served is refused, and changes nothing', async () => {
  await feed(day(1), goodFile)
  const was = await served()
  for (const date of [2, 12])
    expect(await feed(day(date), fileWith(120, unstorable))).toMatchObject({
      ...{ outcome: 'refused', message: 'none of its rows can be served' },
      ...{ changed: [], changes: [], held: [] },
    })
  expect(await readRefusals(database.db)).toMatchObject([{ source: 'litellm', runs: 2 }])
  expect(await served()).toEqual(was)
  expect(await feed(day(13), goodFile)).toMatchObject({ outcome: 'applied', changed: [], changes: [] })
  expect(await readRefusals(database.db)).toEqual([])
})

test('what is free and is no longer stated is no lost price, and shuts nobody out', async () => {
  const models = (count: number, free: object, input = 2) =>
    litellmFile({
      ...Object.fromEntries(Object.keys(manyModels(count)).map((name) => [`${name}-free`, free])),
      ...manyModels(40, { input, output: 8 }),
    })
  await feed(day(1), models(80, { input: 0, output: 0 }))
  const report = await feed(day(2), models(80, {}))
  expect([report.outcome, report.held, report.changed.length]).toEqual(['applied', [], 80])
  const next = await feed(day(3), litellmFile({ ...manyModels(40), m7: { input: 1.9, output: 8 } }))
  expect(publishedBy(next)).toEqual(['price_cut acme:m7'])
})

describe('a flood of new rows', () => {
  const list = manyModels(40)
  const flooded = litellmFile({ ...list, ...planted(60), m7: { input: 1.9, output: 8 } })
  const mended = litellmFile({ ...list, m7: { input: 1.8, output: 8 } })

  function planted(count: number) {
    return Object.fromEntries(Object.entries(manyModels(count)).map(([name, one]) => [`new-${name}`, one]))
  }

  test('waits and is listed, and the rest of the file is taken', async () => {
    await feed(day(1), litellmFile(list))
    const report = await feed(day(2), flooded)
    expect([report.outcome, report.added, publishedBy(report)]).toEqual([
      'applied',
      [],
      ['price_cut acme:m7'],
    ])
    expect(await readFloods(database.db)).toEqual([
      { source: 'litellm', rows: 60, since: '2026-03-02T00:00:00.000000Z', example: 'acme:new-m0' },
    ])
    expect((await feed(before(9), flooded)).added).toEqual([])
    expect((await feed(day(9), flooded)).added).toHaveLength(60)
    expect(await readFloods(database.db)).toEqual([])
    expect(await feed(day(10), flooded)).toMatchObject({ added: [], changed: [], changes: [], held: [] })
  })

  test('is no state that the true file is measured against, and has to stand anew when it comes again', async () => {
    await feed(day(1), litellmFile(list))
    await feed(day(2), flooded)
    const back = await feed(day(3), mended)
    expect([back.outcome, publishedBy(back)]).toEqual(['applied', ['price_cut acme:m7']])
    expect(await readFloods(database.db)).toEqual([])
    const { m7: _, ...others } = list
    // A row that goes is not one of many.
    const lacking = litellmFile({ ...others, ...{} })
    await feed(day(4), lacking)
    expect(publishedBy(await feed(day(5), lacking))).toEqual(['model_removed acme:m7'])
    expect((await feed(day(12), flooded)).added).toEqual([])
    expect(await readFloods(database.db)).toMatchObject([{ rows: 60, since: '2026-03-12T00:00:00.000000Z' }])
    expect((await feed(before(19), flooded)).added).toEqual([])
    expect((await feed(day(19), flooded)).added).toHaveLength(60)
  })

  test('is served at once with --accept-file', async () => {
    await feed(day(1), litellmFile(list))
    await feed(day(2), flooded)
    expect((await feed(day(2), flooded, { acceptAll: true })).added).toHaveLength(60)
    expect(await readFloods(database.db)).toEqual([])
  })

  test('of rows that others state is not heard of them, and takes nobody a price', async () => {
    const genai = JSON.stringify([
      { id: 'acme', models: [{ id: 'new-m0', prices: { input_mtok: 3, output_mtok: 9 } }] },
    ])
    await feed(day(1), litellmFile(list))
    await feed(day(1), genai, { source: 'genai-prices' })
    await feed(day(2), flooded)
    expect(await priceOf('acme:new-m0')).toEqual(['3', '9'])
    expect(publishedBy(await feed(day(3), mended))).toEqual(['price_cut acme:m7'])
    expect(await priceOf('acme:new-m0')).toEqual(['3', '9'])
  })

  test.each([
    ['25 of a list of 40', 40, 25],
    ['30 % of a list of 100', 100, 30],
  ])('it is not: %s', async (_, known, count) => {
    await feed(day(1), litellmFile(manyModels(known)))
    const report = await feed(day(2), litellmFile({ ...manyModels(known), ...planted(count) }))
    expect([report.added.length, report.changes.length]).toEqual([count, count])
  })
})

test("OpenRouter's own list, of which two others deny 20 rises, waits for a day with its own price served", async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `acme/m${index}`)
  const perToken = (usdPerMtok: number) => String(usdPerMtok / 1_000_000)
  const own = (input: number) =>
    JSON.stringify({
      data: ids.map((id, index) => ({
        ...{ id, canonical_slug: `${id}-20260301`, expiration_date: null },
        architecture: { output_modalities: ['text'] },
        pricing: { prompt: perToken(index < 20 ? input : 2), completion: perToken(8) },
      })),
    })
  const litellm = litellmFile(
    Object.fromEntries(ids.map((id) => [id, { input: 2, output: 8 }])),
    'openrouter',
  )
  const genai = JSON.stringify([
    {
      id: 'openrouter',
      models: ids.map((id) => ({ id, prices: { input_mtok: 2, output_mtok: 8 } })),
    },
  ])
  await feed(day(1), own(2), { source: 'openrouter' })
  await feed(day(1), litellm)
  await feed(day(1), genai, { source: 'genai-prices' })
  const report = await feed(day(2), own(10), { source: 'openrouter' })
  expect(report.changes).toEqual([])
  expect(await priceOf('openrouter:acme/m0')).toEqual(['2', '8'])
  expect(report.held.map(({ source, reason }) => [source, reason])).toEqual(
    ids.slice(0, 20).map(() => ['openrouter', 'large']),
  )
  expect((await feed(before(3), own(10), { source: 'openrouter' })).changes).toEqual([])
  const later = await feed(day(3), own(10), { source: 'openrouter' })
  expect(later.changes).toHaveLength(20)
  expect(await priceOf('openrouter:acme/m0')).toEqual(['10', '8'])
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the whole of a real list'), () => {
  test.each([0.92, 1.05, 1_000])('times %d moves nothing, and neither does the true one', async (factor) => {
    const text = priceFile('litellm/events/mass-revert.1-before.2026-01-06T05.json.gz')
    const scaled = (value: unknown, key = ''): unknown => {
      if (typeof value === 'number' && /cost/.test(key)) return round(value * factor)
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scaled(one, name)]))
    }
    await feed(day(1), text)
    const [was, wasCards] = [await served(), await cards()]
    const report = await feed(day(2), JSON.stringify(scaled(JSON.parse(text))))
    expect(report).toMatchObject({ outcome: 'applied', changed: [], changes: [] })
    expect(report.held.length).toBeGreaterThan(1_000)
    expect([await served(), await cards()]).toEqual([was, wasCards])
    const mended = await feed(day(3), text)
    expect(mended).toMatchObject({ outcome: 'applied', changed: [], changes: [] })
    expect(mended.held.filter(({ reason }) => reason === 'bulk')).toEqual([])
    expect([await served(), await cards()]).toEqual([was, wasCards])
  })
})

test('the command takes what it can, lists what waits, and believes it when it is told to', async () => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 7).toString('base64'))
  const file = join(folder, 'litellm.json')
  const run = async (text: string, ...words: string[]) => {
    await writeFile(file, text)
    return runHere(['feed', 'run', 'litellm', '--no-alert', '--file', file, ...words])
  }
  expect(await run(goodFile, '--observed-at', day(1))).toMatchObject({ exitCode: 0 })
  const flood = JSON.stringify({
    ...(JSON.parse(fileWith(120, renamed)) as object),
    ...(JSON.parse(litellmFile(manyModels(40), 'echo')) as object),
  })
  const taken = await run(flood, '--observed-at', day(2))
  expect([taken.exitCode, taken.stderr]).toEqual([0, ''])
  const { stdout } = await runHere(['feed', 'review'])
  expect(stdout).toContain('litellm: 40 new rows wait since 2026-03-02 00:00:00 (UTC), such as echo:m0.')
  expect(stdout).toContain('ratecard feed run litellm --file PATH --accept-file')
  expect(stdout).toMatch(/litellm +bulk +120 /)
  const accepted = await run(flood, '--observed-at', day(2), '--accept-file')
  expect([accepted.exitCode, accepted.stderr]).toEqual([0, ''])
  expect((await runHere(['feed', 'review'])).stdout).toBe('No price move waits for a review.\n')
  const refused = await run(fileWith(120, unstorable), '--observed-at', day(2))
  expect([refused.exitCode, refused.stderr]).toEqual([1, ''])
  expect(refused.stdout).toContain('none of its rows can be served')
})

async function served(): Promise<unknown> {
  const { rows } = await sql`select * from prices order by resource_id`.execute(database.db)
  return rows
}

async function cards(): Promise<unknown> {
  const { rows } = await sql`select * from rate_cards order by resource_id`.execute(database.db)
  return rows
}

async function priceOf(id: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ input: string | null; output: string | null }>`
    select trim_scale(input_per_mtok)::text as input, trim_scale(output_per_mtok)::text as output
    from prices where resource_id = ${id}`.execute(database.db)
  return [rows[0]?.input ?? null, rows[0]?.output ?? null]
}

async function statesOfHolds(): Promise<Record<string, number>> {
  const holds = await listHolds(database.db, {})
  const states = Map.groupBy(holds, ({ state }) => state)
  return Object.fromEntries([...states].map(([state, all]) => [state, all.length]))
}
