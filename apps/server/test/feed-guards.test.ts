import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listHolds } from '../src/feed/review.ts'
import { createFeeder, litellmFile, manyModels } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { runHere } from './support/run-here.ts'

// What speaks against a file as a whole: each guard alone, at its threshold.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const folder = mkdtempSync(join(tmpdir(), 'ratecard-guards-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const [day1, day2, day3] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'] as const

type Row = Record<string, unknown>

/** 120 rows, of four platforms in turn. */
const good: [key: string, row: Row][] = ['acme', 'bolt', 'crux', 'dune']
  .flatMap((platform) =>
    Object.entries(JSON.parse(litellmFile(manyModels(30), platform)) as Record<string, Row>),
  )
  .sort(([a], [b]) => Number(a.split('/m')[1]) - Number(b.split('/m')[1]))

/** The file with its first rows changed; undefined: without them. */
function fileWith(count: number, change: (row: Row) => Row | undefined): string {
  return JSON.stringify(
    Object.fromEntries(
      good.flatMap(([key, row], index) => {
        const next = index < count ? change(row) : row
        return next === undefined ? [] : [[key, next]]
      }),
    ),
  )
}

const times = (factor: number) => (row: Row) => ({
  ...row,
  input_cost_per_token: Number(row.input_cost_per_token) * factor,
  output_cost_per_token: Number(row.output_cost_per_token) * factor,
})
const renamed = ({ input_cost_per_token, ...row }: Row) => ({ ...row, input_price: input_cost_per_token })
const nested = (row: Row) => ({ ...row, input_cost_per_token: { usd: row.input_cost_per_token } })
const unstorable = (row: Row) => ({ ...row, provider_specific_entry: { '\0': 1 } })
const gone = () => undefined

interface Guard {
  name: string
  change: (row: Row) => Row | undefined
  outcome: 'held' | 'refused'
  /** The most rows that are taken, and one more than those. */
  most: number
  says: string
}

const guards: Guard[] = [
  {
    name: 'a renamed field',
    change: renamed,
    ...{ outcome: 'refused', most: 25 },
    says: '26 of 120 rows state no input_per_mtok any more, such as acme/m0: was the field renamed?',
  },
  {
    name: 'one factor on several platforms',
    change: times(1.5),
    ...{ outcome: 'refused', most: 25 },
    says: '26 of 120 rows on 4 platforms move by the same factor of 1.5, such as acme/m0: has the unit changed?',
  },
  {
    name: 'rows that cannot be read any more',
    change: nested,
    ...{ outcome: 'refused', most: 25 },
    says: '26 of 120 rows that could be read before cannot be read now, such as acme/m0 (',
  },
  {
    name: 'many rows gone at once',
    change: gone,
    ...{ outcome: 'held', most: 25 },
    says: '26 rows are gone at once, more than 25: the run waits until the next one shows the same',
  },
  {
    name: 'no row that can be served',
    change: unstorable,
    ...{ outcome: 'refused', most: 120 },
    says: 'none of its rows can be served',
  },
]

describe.each(guards)('$name', ({ change, outcome, most, says }) => {
  const bad = fileWith(most === 120 ? 120 : most + 1, change)

  test(`is ${outcome}, changes nothing, and the next good file is taken`, async () => {
    await feed(day1, fileWith(0, gone))
    const before = await served()
    const report = await feed(day2, bad)
    expect(report).toMatchObject({ outcome, changed: [], changes: [], held: [] })
    expect(report.message).toContain(says)
    expect([await served(), await listHolds(database.db, {})]).toEqual([before, []])
    const next = await feed(day3, fileWith(0, gone))
    expect(next).toMatchObject({ outcome: 'applied', changed: [], changes: [], held: [], message: null })
    expect(await served()).toEqual(before)
  })

  test('is taken with --accept-file', async () => {
    await feed(day1, fileWith(0, gone))
    expect(await feed(day2, bad, { acceptAll: true })).toMatchObject({ outcome: 'applied', message: null })
  })

  test.skipIf(most === 120)('is no doubt with one row fewer', async () => {
    await feed(day1, fileWith(0, gone))
    const report = await feed(day2, fileWith(most, change), { dryRun: true })
    expect(report).toMatchObject({ outcome: 'applied', message: null })
  })
})

test('rows of two platforms that move by one factor, or of four by little, are prices', async () => {
  await feed(day1, fileWith(0, gone))
  const two = (row: Row) => (/acme|bolt/.test(String(row.litellm_provider)) ? times(1.5)(row) : row)
  for (const change of [two, times(1.1)])
    expect(await feed(day2, fileWith(120, change), { dryRun: true })).toMatchObject({ outcome: 'applied' })
  for (const factor of [1.2, 9])
    expect(await feed(day2, fileWith(120, times(factor)), { dryRun: true })).toMatchObject({
      outcome: 'refused',
    })
})

test('an older file under a new date takes its moves back as corrections', async () => {
  await feed(day1, fileWith(0, gone))
  const rise = await feed(day2, fileWith(5, times(1.3)))
  expect(rise.changes.map(({ category }) => category)).toContain('price_rise')
  const older = await feed(day3, fileWith(0, gone))
  expect(new Set(older.changes.map(({ category }) => category))).toEqual(new Set(['correction']))
})

test('of more than 500 rows it takes one in twenty', async () => {
  await feed(day1, litellmFile(manyModels(600)))
  const without = (count: number) => litellmFile({ ...manyModels(600), ...manyModels(count, { output: 8 }) })
  expect(await feed(day2, without(30), { dryRun: true })).toMatchObject({ outcome: 'applied' })
  expect(await feed(day2, without(31), { dryRun: true })).toMatchObject({
    ...{ outcome: 'refused', message: expect.stringContaining('31 of 600 rows state no input') as string },
  })
})

test('more than three in ten gone are refused, even a second time', async () => {
  await feed(day1, fileWith(0, gone))
  expect(await feed(day2, fileWith(36, gone), { dryRun: true })).toMatchObject({ outcome: 'held' })
  for (const at of [day2, day3]) {
    expect(await feed(at, fileWith(37, gone))).toMatchObject({
      outcome: 'refused',
      message: '37 of 120 rows are gone, more than 30 %: is this the whole file?',
    })
  }
  expect(await feed(day3, fileWith(37, gone), { acceptGone: true })).toMatchObject({ outcome: 'applied' })
})

test('the command says why, exits with 1, and takes the file when it is told to', async () => {
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 7).toString('base64'))
  const file = join(folder, 'litellm.json')
  const run = async (text: string, ...words: string[]) => {
    await writeFile(file, text)
    return runHere(['feed', 'run', 'litellm', '--no-alert', '--file', file, ...words])
  }
  expect(await run(fileWith(0, gone), '--observed-at', day1)).toMatchObject({ exitCode: 0 })
  const refused = await run(fileWith(120, renamed), '--observed-at', day2)
  expect([refused.exitCode, refused.stderr]).toEqual([1, ''])
  expect(refused.stdout).toContain('120 of 120 rows state no input_per_mtok any more')
  const taken = await run(fileWith(120, renamed), '--observed-at', day2, '--accept-file')
  expect([taken.exitCode, taken.stderr]).toEqual([0, ''])
})

async function served(): Promise<unknown> {
  const { rows } = await sql`select * from prices order by resource_id`.execute(database.db)
  return rows
}
