import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listHolds } from '../src/ingest/review/review.ts'
import type { RunReport } from '../src/ingest/publish/run-report.ts'
import { createFeeder } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { priceDataDir, priceFile, skipTitle } from './support/price-files.ts'

// Four real events of LiteLLM's file, and the changes that our readers should have got.

const database = useDatabase()
const feed = createFeeder(() => database.db)
const event = (name: string) => priceFile(`litellm/events/${name}.json.gz`)

beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

describe.skipIf(priceDataDir === undefined)(skipTitle('events of 2025 and 2026'), () => {
  test('o3 is cut by 80 %: one change of high severity, with both rows', async () => {
    await feed('2025-06-10T20:00:00Z', event('o3-cut.1-before.2025-06-10T20'))
    const after = event('o3-cut.2-after.2025-06-11T00')
    // One list alone says so: it has to stand by it for a day.
    const first = await feed('2025-06-11T00:00:00Z', after)
    expect(first.changes.filter(({ category }) => /price_/.test(category))).toEqual([])
    const { changes } = await feed('2025-06-12T00:00:00Z', after)
    const cuts = changes.filter(({ category }) => category === 'price_cut')
    expect(cuts).toMatchObject([{ product: 'openai/o3' }])
    expect(cuts[0]?.severity).toBeGreaterThanOrEqual(3)
    const change = await database.db
      .selectFrom('changes')
      .selectAll()
      .where('category', '=', 'price_cut')
      .executeTakeFirstOrThrow()
    const keys = JSON.parse(change.diff_keys ?? '') as string[]
    expect(new Set(keys.map((key) => key.split('#')[0]))).toEqual(
      new Set(['openai:o3', 'openai:o3-2025-04-16']),
    )
    expect(change.title).toContain('80')
  })

  test('the unit of 82 models of one provider is mended: no price move is published', async () => {
    await feed('2026-01-13T09:00:00Z', event('novita-unit-fix.1-before.2026-01-13T09'))
    const mended = event('novita-unit-fix.2-after.2026-01-13T22')
    const run = await feed('2026-01-13T22:00:00Z', mended)
    expect(run.changes.filter(({ category }) => /price_/.test(category))).toEqual([])
    const ofNovita = ({ changed }: RunReport) => changed.filter(({ id }) => id.startsWith('novita:')).length
    const isNovita = ({ resource_id }: { resource_id: string }) => resource_id.startsWith('novita:')
    const waiting = (await listHolds(database.db, { state: 'open' })).filter(isNovita)
    // What other platforms sell too is corrected at once: it comes nearer to their price.
    expect(waiting.length).toBeLessThan(82)
    expect(waiting.every(({ reason }) => reason === 'factor' || reason === 'range')).toBe(true)

    const later = await feed('2026-01-24T22:00:00Z', mended)
    const categories = later.changes.map(({ category }) => category)
    expect(categories.filter((category) => /price_/.test(category))).toEqual([])
    // Each of them is served by then: what others sell too at once, the rest when the list has stood by it.
    expect([ofNovita(run), ofNovita(later)]).toEqual([24, 58])
    expect((await listHolds(database.db, { state: 'open' })).filter(isNovita)).toEqual([])
    expect((await prices()).get('novita:deepseek/deepseek-v3.2')?.[1]).toBe('0.269000000')
  })

  test('a bad merge and its undoing: no removal, no price move, no retirement, no served amount is touched', async () => {
    await feed('2026-01-06T05:00:00Z', event('mass-revert.1-before.2026-01-06T05'))
    const before = await prices()
    const bad = await feed('2026-01-06T06:00:00Z', event('mass-revert.2-bad.2026-01-06T06'))
    // 89 rows are gone at once, and older amounts are back: what is doubtful waits, the rest of the file is taken.
    expect(bad).toMatchObject({ outcome: 'applied', message: null })
    expect(bad.changes.filter((change) => isPriceOrRemoval(change) || change.severity > 1)).toEqual([])
    const back = await feed('2026-01-06T10:00:00Z', event('mass-revert.3-reverted.2026-01-06T10'))
    expect(back.changes.filter(isPriceOrRemoval)).toEqual([])
    expect(back.gone.length).toBeLessThan(bad.gone.length)
    const amounts = (all: typeof before) => [...all].map(([id, [, input, output]]) => [id, input, output])
    const after = await prices()
    expect(amounts(after).filter(([id]) => before.has(id!))).toEqual(amounts(before))
    const later = await feed('2026-01-16T10:00:00Z', event('mass-revert.3-reverted.2026-01-06T10'))
    expect(later.changes.filter(({ category }) => /price_/.test(category))).toEqual([])
    expect(amounts(await prices()).filter(([id]) => before.has(id!))).toEqual(amounts(before))
  })

  test('134 models go, come back, and go: each is told once, in the end', async () => {
    const steps = [
      ['2026-03-11T14:00:00Z', 'removal-flap.1-before.2026-03-11T14'],
      ['2026-03-11T18:00:00Z', 'removal-flap.2-removed.2026-03-11T18'],
      ['2026-03-12T04:00:00Z', 'removal-flap.3-back.2026-03-12T04'],
      ['2026-03-12T20:00:00Z', 'removal-flap.4-removed-again.2026-03-12T20'],
    ] as const
    for (const [at, name] of steps) {
      const run = await feed(at, event(name))
      expect(run.changes.filter(({ category }) => category === 'model_removed')).toEqual([])
    }
    // So many at once are believed after a week.
    const last = event('removal-flap.4-removed-again.2026-03-12T20')
    for (const at of ['2026-03-13T20:00:00Z', '2026-03-19T19:59:59Z'])
      expect((await feed(at, last)).changes.filter(isRemoval)).toEqual([])
    const removals = (await feed('2026-03-19T20:00:00Z', last)).changes.filter(isRemoval)
    expect((await feed('2026-03-20T20:00:00Z', last)).changes).toEqual([])
    // One change for a product, however many of its rows went.
    const gone = await database.db
      .selectFrom('feed_claims')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('removed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const keys = await database.db
      .selectFrom('changes')
      .select('diff_keys')
      .where('category', '=', 'model_removed')
      .execute()
    const rows = keys.flatMap(({ diff_keys }) => JSON.parse(diff_keys ?? '[]') as string[])
    expect(new Set(rows.map((key) => key.split('#')[0])).size).toBe(gone.count)
    expect(gone.count).toBeGreaterThan(100)
    expect(removals.length).toBeGreaterThan(0)
    expect(removals.length).toBeLessThanOrEqual(gone.count)
    console.log(`removal flap: ${gone.count} rows, ${removals.length} changes`)
  })
})

function isRemoval({ category }: { category: string }): boolean {
  return category === 'model_removed'
}

function isPriceOrRemoval({ category }: { category: string }): boolean {
  return /price_|removed/.test(category)
}

/** The served prices of each resource: when it moved, and its amounts. */
async function prices(): Promise<Map<string, [string, string | null, string | null]>> {
  const { rows } = await sql<{ id: string; at: string; input: string | null; output: string | null }>`
    select resource_id as id, updated_at::text as at, input_per_mtok::text as input, output_per_mtok::text as output
    from prices order by resource_id`.execute(database.db)
  return new Map(rows.map(({ id, at, input, output }) => [id, [at, input, output]]))
}
