import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { listPricesAsOf } from '../src/catalog/price-history.ts'
import { runDue } from '../src/ingest/run/due.ts'
import { createFeeder, publishedBy } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// A price that begins on a later day: announced when learned, counted down, and applied, by a clock of our own.

const database = useDatabase()
const feed = createFeeder(() => database.db, { source: 'genai-prices' })

beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

const now = { prices: { input_mtok: 2, output_mtok: 10 } }
const from = (day: string, input = 3, output = 15) => ({
  constraint: { start_date: day },
  prices: { input_mtok: input, output_mtok: output },
})
const file = (...prices: object[]) =>
  JSON.stringify([
    { id: 'acme', models: [{ id: 'sonnet', prices: prices.length === 1 ? now.prices : prices }] },
  ])
const undated = file(now)
const dated = file(now, from('2026-09-01'))

const at = (day: string) => `${day}T09:00:00Z`
const due = (day: string) => runDue(database.db, { observedAt: at(day), alerts: null })

describe('a dated rise', () => {
  test('is announced when learned, told again 30, 7 and 1 days before, and applied on the day', async () => {
    await feed(at('2026-06-01'), undated)
    const learned = await feed(at('2026-06-02'), dated)
    expect(publishedBy(learned)).toEqual(['price_rise acme:sonnet'])
    expect(await priceOf()).toEqual(['2', '10', null])
    expect(await changes()).toMatchObject([
      { status: 'announced', effective_time: '2026-09-01', severity: 4 },
    ])

    const days: Record<string, number> = {}
    for (
      let day = new Date('2026-06-03');
      day < new Date('2026-09-03');
      day.setUTCDate(day.getUTCDate() + 1)
    ) {
      // Read for the last time the day before it begins.
      const isRead = day.toISOString().startsWith('2026-08-31')
      const read = isRead ? (await feed(day.toISOString(), dated)).changes.length : 0
      const published = read + (await due(day.toISOString().slice(0, 10))).changes.length
      if (published > 0) days[day.toISOString().slice(0, 10)] = published
    }
    expect(days).toEqual({ '2026-08-02': 1, '2026-08-25': 1, '2026-08-31': 1, '2026-09-01': 1 })
    expect(await priceOf()).toEqual(['3', '15', '2026-09-01'])
    expect((await changes()).map(({ status }) => status)).toEqual([
      'announced',
      'announced',
      'announced',
      'announced',
      'in_effect',
    ])
    // The source, read after the day, states the served prices.
    expect(await feed(at('2026-09-04'), dated)).toMatchObject({ changed: [], changes: [], held: [] })
  })

  test('is applied by the source itself when it is read first, once', async () => {
    await feed(at('2026-08-30'), dated)
    expect(publishedBy(await feed(at('2026-09-01'), dated))).toEqual(['price_rise acme:sonnet'])
    expect(await priceOf()).toEqual(['3', '15', '2026-09-01'])
    expect(await due('2026-09-01')).toMatchObject({ applied: [], changes: [] })
  })

  test('learned in a first run is not announced, but counted down', async () => {
    expect((await feed(at('2026-06-02'), dated)).changes).toEqual([])
    expect((await due('2026-08-02')).changes).toHaveLength(1)
  })

  test('learned a few days before is announced once', async () => {
    await feed(at('2026-08-01'), undated)
    expect((await feed(at('2026-08-27'), dated)).changes).toHaveLength(1)
    expect((await due('2026-08-28')).changes).toHaveLength(0)
    expect((await due('2026-08-31')).changes).toHaveLength(1)
  })

  test('twice on one day, or days late, does nothing twice and misses nothing', async () => {
    await feed(at('2026-06-01'), undated)
    await feed(at('2026-06-02'), dated)
    expect((await due('2026-08-03')).changes).toHaveLength(1)
    expect((await due('2026-08-03')).changes).toHaveLength(0)
    await feed(at('2026-08-31'), dated)
    expect((await due('2026-09-02')).applied).toEqual(['acme:sonnet'])
    expect((await due('2026-09-02')).applied).toEqual([])
  })

  test('is not applied from a file that was read long before: it may have been called off', async () => {
    await feed(at('2026-06-01'), undated)
    await feed(at('2026-06-02'), dated)
    expect((await due('2026-09-01')).applied).toEqual([])
    expect(await priceOf()).toEqual(['2', '10', null])
    const back = await feed(at('2026-09-11'), undated)
    expect(back.changes).toHaveLength(1)
    expect((await changes()).at(-1)).toMatchObject({ status: 'withdrawn', effective_time: '2026-09-01' })
  })

  test('that the source takes back is told as withdrawn, and never applied', async () => {
    await feed(at('2026-06-01'), undated)
    await feed(at('2026-06-02'), dated)
    const back = await feed(at('2026-07-01'), undated)
    expect(back.changes).toHaveLength(1)
    expect((await changes()).at(-1)).toMatchObject({ status: 'withdrawn', effective_time: '2026-09-01' })
    expect(await due('2026-09-01')).toMatchObject({ applied: [], changes: [] })
    expect(await priceOf()).toEqual(['2', '10', null])
  })

  test('is in the prices as of its first day, by what was known once it was learned', async () => {
    await feed(at('2026-06-01'), undated)
    await feed(at('2026-06-02'), file(now, from('2027-01-01'), from('2027-03-01', 4, 20)))
    const asOf = async (day: string, knownAt: string | null = null) => {
      const rows = await listPricesAsOf(database.db, { at: `${day}T23:59:59Z`, knownAt }, 10)
      return rows.map((row) => [row.input_per_mtok, row.output_per_mtok, row.effective_at])
    }
    expect(await asOf('2026-12-31')).toEqual([['2', '10', null]])
    expect(await asOf('2027-01-01')).toEqual([['3', '15', '2027-01-01']])
    expect(await asOf('2027-03-01')).toEqual([['4', '20', '2027-03-01']])
    expect(await asOf('2027-03-01', '2026-06-01T12:00:00Z')).toEqual([['2', '10', null]])
  })

  test('with another amount is announced anew', async () => {
    await feed(at('2026-06-01'), undated)
    await feed(at('2026-06-02'), dated)
    const higher = await feed(at('2026-06-03'), file(now, from('2026-09-01', 4, 20)))
    expect(higher.changes).toHaveLength(1)
    await feed(at('2026-08-31'), file(now, from('2026-09-01', 4, 20)))
    await due('2026-09-01')
    expect(await priceOf()).toEqual(['4', '20', '2026-09-01'])
  })

  test('that nobody would believe waits for a person on the day', async () => {
    await feed(at('2026-08-30'), file(now, from('2026-09-01', 200, 1_000)))
    expect(await due('2026-09-01')).toMatchObject({ applied: [], changes: [] })
    expect(await priceOf()).toEqual(['2', '10', null])
    expect(await database.db.selectFrom('feed_holds').select('reason').execute()).toEqual([
      { reason: 'factor' },
    ])
  })
})

async function priceOf(): Promise<(string | null)[]> {
  const { rows } = await sql<{ input: string; output: string; effective_at: string | null }>`
    select trim_scale(input_per_mtok)::text as input, trim_scale(output_per_mtok)::text as output, effective_at
    from prices where resource_id = 'acme:sonnet'`.execute(database.db)
  return [rows[0]?.input ?? null, rows[0]?.output ?? null, rows[0]?.effective_at ?? null]
}

function changes() {
  return database.db.selectFrom('changes').selectAll().orderBy('updated_at').execute()
}
