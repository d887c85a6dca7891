import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptHolds, listHolds, rejectHolds } from '../src/ingest/review/review.ts'
import { repeatRun } from '../src/ingest/run/run-feed.ts'
import { createFeeder, litellmFile, manyModels, publishedBy, type Model } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// The statements of a source, their acceptance, the served prices and the changes: whole runs on real PostgreSQL.

const database = useDatabase()
const feed = createFeeder(() => database.db)

const base = { alpha: { input: 2, output: 8 }, beta: { input: 1, output: 4 } }
const day1 = '2026-03-01T00:00:00Z'
const day2 = '2026-03-02T00:00:00Z'
const day3 = '2026-03-03T00:00:00Z'
const day4 = '2026-03-04T00:00:00Z'

beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

describe('runs', () => {
  test('the first tells no change; the same again moves nothing and tells nothing', async () => {
    const first = await feed(day1, litellmFile(base))
    expect([first.added.length, first.changes, first.rows]).toEqual([2, [], 2])
    const before = await served()

    const again = await feed(day2, litellmFile(base))
    expect(again).toMatchObject({ added: [], changed: [], unchanged: 2, changes: [], held: [] })
    expect(await served()).toEqual(before)
  })

  test('what the source says about itself and we do not serve moves nothing', async () => {
    await feed(day1, litellmFile(base))
    const before = await served()
    const renamed = { ...base, alpha: { ...base.alpha, more: { supports_vision: true, max_tokens: 5 } } }
    expect(await feed(day2, litellmFile(renamed))).toMatchObject({ changed: [], changes: [] })
    expect(await served()).toEqual(before)
  })

  test('a dry run says the same as the run after it, and writes nothing', async () => {
    await feed(day1, litellmFile(base))
    const text = litellmFile({ ...base, alpha: { input: 1, output: 4 }, gamma: { input: 3, output: 3 } })
    const before = await served()
    const dry = await feed(day2, text, { dryRun: true })
    expect(await served()).toEqual(before)
    expect(dry.run_id).toBeNull()
    const real = await feed(day2, text)
    expect(publishedBy(dry)).toEqual(publishedBy(real))
    expect(dry).toEqual({ ...real, run_id: null, changes: dry.changes, deliveries: 0 })
  })

  test('history does not go back in time', async () => {
    await feed(day2, litellmFile(base))
    await expect(feed(day1, litellmFile(base))).rejects.toThrow(/last observed at 2026-03-02/)
  })

  test('a file of another shape is refused, the refusal is written down, and nothing is lost', async () => {
    const loaded = await feed(day1, litellmFile(base))
    const before = await served()
    await expect(feed(day2, '<html>')).rejects.toThrow(/not JSON/)
    await expect(feed(day2, '{}')).rejects.toThrow(/none of its entries is a model/)
    expect(await served()).toEqual(before)
    expect(await outcomes()).toEqual(['applied', 'refused', 'refused'])
    const repeat = { source: 'litellm', observedAt: day3, alerts: null } as const
    const { version, outcome } = await repeatRun(database.db, repeat)
    expect([version, outcome]).toEqual([loaded.version, 'applied'])
    expect(await feed(day3, litellmFile(base))).toMatchObject({ outcome: 'applied', changes: [] })
  })

  test('growth by 30 % is served and told at once; more is a flood, and waits a week', async () => {
    await feed(day1, litellmFile(manyModels(100)))
    const report = await feed(day2, litellmFile(manyModels(130)))
    expect([report.outcome, report.added.length, report.changes.length]).toEqual(['applied', 30, 30])
    expect(report.changes[0]).toMatchObject({ category: 'model_added', severity: 1 })
    const flood = litellmFile(manyModels(170))
    expect(await feed(day3, flood)).toMatchObject({ outcome: 'applied', added: [], changes: [] })
    expect(await served()).toHaveLength(130)
    await feed('2026-03-10T00:00:00Z', flood)
    expect(await priceOf('acme:m169')).toEqual(['2', '8'])
  })
})

describe('price moves', () => {
  test('are served and told in the run that shows them, with what they were', async () => {
    await feed(day1, litellmFile(base))
    const report = await feed(day2, litellmFile({ ...base, alpha: { input: 1.5, output: 6 } }))
    expect(publishedBy(report)).toEqual(['price_cut acme:alpha'])
    expect(await priceOf('acme:alpha')).toEqual(['1.5', '6'])
    const [change] = await changes()
    expect(change).toMatchObject({ severity: 3, status: 'in_effect', verified: false })
    expect(JSON.parse(change?.diff_before ?? '')).toEqual({
      'acme:alpha': { input_per_mtok: 2, output_per_mtok: 8 },
    })
    expect(JSON.parse(change?.diff_after ?? '')).toEqual({
      'acme:alpha': { input_per_mtok: 1.5, output_per_mtok: 6 },
    })
    expect(JSON.parse(change?.diff_keys ?? '')).toEqual([
      'acme:alpha#input_per_mtok',
      'acme:alpha#output_per_mtok',
    ])
  })

  const doubts: [string, Model, Model, string][] = [
    ['ten times as much', { input: 2, output: 8 }, { input: 20, output: 8 }, 'factor'],
    ['a tenth', { input: 2, output: 8 }, { input: 2, output: 0.8 }, 'factor'],
    ['nothing', { input: 2, output: 8 }, { input: 0, output: 0 }, 'to_zero'],
    ['something after nothing', { input: 0, output: 0 }, { input: 2, output: 8 }, 'from_zero'],
    ['more than anybody asks', { input: 400, output: 400 }, { input: 1_001, output: 400 }, 'range'],
  ]
  test.each(doubts)('%s waits for a person, and the last price stays', async (_, before, after, reason) => {
    await feed(day1, litellmFile({ ...base, alpha: before }))
    const was = await served()
    const report = await feed(day2, litellmFile({ ...base, alpha: after }))
    expect([report.changed, report.changes]).toEqual([[], []])
    expect(report.held).toMatchObject([{ resource_id: 'acme:alpha', reason }])
    expect(await served()).toEqual(was)
    // The same again is the same hold.
    expect((await feed(day3, litellmFile({ ...base, alpha: after }))).held).toEqual([])
    expect(await listHolds(database.db, { state: 'open' })).toHaveLength(1)
  })

  const stands: [string, number, string, string[]][] = [
    ['half as much again', 3, '2026-03-03T00:00:00Z', ['price_rise acme:alpha']],
    ['just under eight times', 15.9, '2026-03-03T00:00:00Z', ['price_rise acme:alpha']],
    ['eight times', 16, '2026-03-13T00:00:00Z', ['correction acme:alpha']],
  ]
  test.each(stands)('%s is believed when the source has stood by it', async (_, input, at, published) => {
    const risen = litellmFile({ ...base, alpha: { input, output: 8 } })
    await feed(day1, litellmFile(base))
    expect(publishedBy(await feed(day2, risen))).toEqual([])
    const justBefore = new Date(Date.parse(at) - 1_000).toISOString()
    expect(publishedBy(await feed(justBefore, risen))).toEqual([])
    expect(await priceOf('acme:alpha')).toEqual(['2', '8'])
    expect(publishedBy(await feed(at, risen))).toEqual(published)
    expect(await priceOf('acme:alpha')).toEqual([String(input), '8'])
    expect(await listHolds(database.db, {})).toMatchObject([{ state: 'confirmed' }])
  })

  test('a slip that was taken for a move is corrected, and no cut', async () => {
    const slipped = litellmFile({ ...base, alpha: { input: 4, output: 16 } })
    await feed(day1, litellmFile(base))
    await feed(day2, slipped)
    expect(publishedBy(await feed(day3, slipped))).toEqual(['price_rise acme:alpha'])
    await feed(day4, litellmFile(base))
    expect(publishedBy(await feed('2026-03-05T00:00:00Z', litellmFile(base)))).toEqual([
      'correction acme:alpha',
    ])
  })

  test('input and output that change places wait', async () => {
    await feed(day1, litellmFile(base))
    const swapped = await feed(day2, litellmFile({ ...base, alpha: { input: 8, output: 2 } }))
    expect(swapped.held).toMatchObject([{ resource_id: 'acme:alpha', reason: 'swapped' }])
  })

  test('an amount that is no longer stated stays for a day', async () => {
    const without = litellmFile({ ...base, alpha: { output: 8 } })
    await feed(day1, litellmFile(base))
    expect((await feed(day2, without)).held).toMatchObject([{ reason: 'vanished' }])
    expect(await priceOf('acme:alpha')).toEqual(['2', '8'])
    await feed(day3, without)
    expect(await priceOf('acme:alpha')).toEqual([null, '8'])
  })

  test('what the source takes back itself is no longer on hold', async () => {
    await feed(day1, litellmFile(base))
    await feed(day2, litellmFile({ ...base, alpha: { input: 2_000, output: 8 } }))
    expect(await feed(day3, litellmFile(base))).toMatchObject({ changed: [], changes: [], held: [] })
    expect(await listHolds(database.db, {})).toMatchObject([{ state: 'withdrawn' }])
  })

  test('25 rows that move alike are told, 26 wait', async () => {
    const cheaper = { input: 1.6, output: 6.4 }
    await feed(day1, litellmFile(manyModels(60)))
    const some = { ...manyModels(60), ...manyModels(25, cheaper) }
    expect((await feed(day2, litellmFile(some))).changes).toHaveLength(25)

    const all = await feed(day3, litellmFile(manyModels(60, cheaper)))
    expect([all.changes.length, all.held.length, all.held[0]?.reason]).toEqual([0, 35, 'bulk'])
  })

  test('an amount that nobody asks is never believed, however long it stands', async () => {
    await feed(day1, litellmFile({ ...base, alpha: { input: 400, output: 800 } }))
    const risen = litellmFile({ ...base, alpha: { input: 1_001, output: 800 } })
    expect((await feed(day2, risen)).held).toMatchObject([{ reason: 'range' }])
    expect(await priceOf('acme:alpha')).toEqual(['400', '800'])
    for (const at of [day3, '2026-03-20T00:00:00Z'])
      expect(await feed(at, risen)).toMatchObject({ changed: [], changes: [] })
    expect(await priceOf('acme:alpha')).toEqual(['400', '800'])
    expect(await listHolds(database.db, { state: 'open' })).toMatchObject([{ reason: 'range' }])
    // What moves along with it belongs to the same mistake.
    const along = litellmFile({ ...base, alpha: { input: 1_002, output: 810 } })
    for (const at of ['2026-03-21T00:00:00Z', '2026-03-30T00:00:00Z']) await feed(at, along)
    expect(await priceOf('acme:alpha')).toEqual(['400', '800'])
  })

  test('an impossible amount of a row is held alone', async () => {
    const slipped = litellmFile({ ...base, alpha: { input: 2, output: 8, cached: 0.002 } })
    const first = await feed(day1, slipped)
    expect(first.held).toMatchObject([
      { resource_id: 'acme:alpha', reason: 'incoherent', fields: ['cached_input_per_mtok'] },
    ])
    expect(await priceOf('acme:alpha')).toEqual(['2', '8'])
    expect((await feed('2026-03-20T00:00:00Z', slipped)).held).toEqual([])
    expect(await listHolds(database.db, { state: 'open' })).toHaveLength(1)
  })

  test('an absurd amount in a first load is served as unknown, and listed', async () => {
    const report = await feed(day1, litellmFile({ ...base, alpha: { input: 5_000, output: 8 } }))
    expect(report.held).toMatchObject([{ resource_id: 'acme:alpha', reason: 'range' }])
    // The output of such a row is no better.
    expect(await priceOf('acme:alpha')).toEqual([null, null])
    expect((await feed(day2, litellmFile({ ...base, alpha: { input: 5_000, output: 8 } }))).held).toEqual([])
  })
})

describe('review', () => {
  const slipped = { ...base, alpha: { input: 0.002, output: 0.008 } }

  async function hold(): Promise<string> {
    await feed(day1, litellmFile(base))
    await feed(day2, litellmFile(slipped))
    const [held] = await listHolds(database.db, { state: 'open' })
    return held?.id ?? ''
  }

  test('accepted as a correction: served, told as one, and settled', async () => {
    const id = await hold()
    const decision = await acceptHolds(database.db, [id], {
      as: 'correction',
      alerts: null,
      observedAt: day3,
    })
    expect(decision.changes).toMatchObject([{ category: 'correction', product: 'acme:alpha', severity: 1 }])
    expect(await priceOf('acme:alpha')).toEqual(['0.002', '0.008'])
    expect(await feed(day4, litellmFile(slipped))).toMatchObject({ changed: [], changes: [], held: [] })
    await expect(
      acceptHolds(database.db, [id], { as: 'move', alerts: null, observedAt: day4 }),
    ).rejects.toThrow(/does not wait: it is accepted/)
  })

  test('accepted as the move it is: told with its own severity, and verified', async () => {
    const id = await hold()
    const decision = await acceptHolds(database.db, [id], { as: 'move', alerts: null, observedAt: day3 })
    expect(decision.changes).toMatchObject([{ category: 'price_cut', severity: 3 }])
    expect(await changes()).toMatchObject([{ verified: true }])
  })

  test('rejected: the last price stays, and the same amounts are not held again; others are', async () => {
    const id = await hold()
    await rejectHolds(database.db, [id], { reason: 'a slip of the unit', observedAt: day3 })
    expect(await feed(day3, litellmFile(slipped))).toMatchObject({ changed: [], changes: [], held: [] })
    expect(await priceOf('acme:alpha')).toEqual(['2', '8'])
    const other = await feed(day4, litellmFile({ ...base, alpha: { input: 0.001, output: 0.004 } }))
    expect(other.held).toHaveLength(1)
  })

  test('an id that is none, or one too many, decides nothing', async () => {
    const id = await hold()
    await expect(
      rejectHolds(database.db, [id, 'hold_none'], { reason: 'no', observedAt: day3 }),
    ).rejects.toThrow(/No hold has the id "hold_none"/)
    expect(await listHolds(database.db, { state: 'open' })).toHaveLength(1)
  })
})

describe('rows that are gone', () => {
  const without = (count: number, gone: number) => {
    const models = manyModels(count)
    for (let index = 0; index < gone; index += 1) delete models[`m${index}`]
    return litellmFile(models)
  }

  test('are told after 24 hours and two runs, and stay served', async () => {
    await feed(day1, without(100, 0))
    expect(publishedBy(await feed('2026-03-02T00:00:00Z', without(100, 1)))).toEqual([])
    expect(publishedBy(await feed('2026-03-02T23:59:59Z', without(100, 1)))).toEqual([])
    const before = await served()
    expect(publishedBy(await feed('2026-03-03T00:00:00Z', without(100, 1)))).toEqual([
      'model_removed acme:m0',
    ])
    expect(publishedBy(await feed(day4, without(100, 1)))).toEqual([])
    expect(await served()).toEqual(before)
    expect(await changes()).toMatchObject([{ first_seen: '2026-03-02 00:00:00+00' }])
  })

  test('once in 24 hours is not two runs', async () => {
    await feed(day1, without(100, 0))
    await feed(day2, without(100, 1))
    await feed(day2, without(100, 0))
    expect(publishedBy(await feed(day4, without(100, 1)))).toEqual([])
  })

  test('what comes back was never away; what comes back after it was told is told again', async () => {
    await feed(day1, without(100, 0))
    await feed(day2, without(100, 1))
    expect(publishedBy(await feed(day3, without(100, 0)))).toEqual([])
    await feed('2026-03-05T00:00:00Z', without(100, 1))
    expect(publishedBy(await feed('2026-03-07T00:00:00Z', without(100, 1)))).toEqual([
      'model_removed acme:m0',
    ])
    expect(publishedBy(await feed('2026-03-08T00:00:00Z', without(100, 0)))).toEqual(['model_added acme:m0'])
  })

  test('25 at once are believed after a day, 26 after a week, and the rest of the file is taken', async () => {
    const removed = async () =>
      (await changes()).filter(({ category }) => category === 'model_removed').length
    await feed(day1, without(100, 0))
    await feed(day2, without(100, 25))
    await feed(day3, without(100, 25))
    expect(await removed()).toBe(25)

    const fewer = JSON.parse(without(100, 51)) as Record<string, object>
    Object.assign(fewer, JSON.parse(litellmFile({ m99: { input: 1.8, output: 8 } })))
    expect(publishedBy(await feed(day4, JSON.stringify(fewer)))).toEqual(['price_cut acme:m99'])
    await feed('2026-03-10T23:59:59Z', JSON.stringify(fewer))
    expect(await removed()).toBe(25)
    await feed('2026-03-11T00:00:00Z', JSON.stringify(fewer))
    expect(await removed()).toBe(51)
  })

  test('a run that is begun again is one run: it confirms nothing', async () => {
    await feed(day1, without(100, 0))
    for (let times = 0; times < 3; times += 1)
      expect(publishedBy(await feed(day2, without(100, 1)))).toEqual([])
    expect(publishedBy(await feed(day3, without(100, 1)))).toEqual(['model_removed acme:m0'])
  })

  test('a run that waits and is not confirmed leaves no trace', async () => {
    await feed(day1, without(100, 0))
    const before = await served()
    await feed(day2, without(100, 29))
    const back = await feed(day2, without(100, 0))
    expect(back).toMatchObject({ outcome: 'applied', changed: [], changes: [], gone: [] })
    expect(await served()).toEqual(before)
  })

  test('an operator may say that they are gone', async () => {
    await feed(day1, without(100, 0))
    const report = await feed(day2, without(100, 60), { acceptGone: true })
    expect([report.outcome, report.changes.length]).toEqual(['applied', 60])
  })

  test('a row that cannot be read today is not gone', async () => {
    await feed(day1, litellmFile({ ...manyModels(20), odd: { input: 1, output: 2 } }))
    const broken = litellmFile({
      ...manyModels(20),
      odd: { input: 1, output: 2, more: { input_cost_per_token: 'soon' } },
    })
    const report = await feed(day2, broken)
    expect([report.gone, report.rejected.length]).toEqual([[], 1])
    expect(publishedBy(await feed(day4, broken))).toEqual([])
    expect(await priceOf('acme:odd')).toEqual(['1', '2'])
  })
})

describe('several sources', () => {
  const genai = (input: number, id = 'alpha') =>
    JSON.stringify([
      { id: 'acme', name: 'Acme', models: [{ id, prices: { input_mtok: input, output_mtok: 8 } }] },
    ])
  const ownFirst = { source: 'genai-prices' as const }

  test('the one that counts more is served, whichever came last; the other is no change', async () => {
    await feed(day1, litellmFile(base))
    const taken = await feed(day1, genai(2.5), ownFirst)
    expect([taken.changes, await priceOf('acme:alpha')]).toEqual([[], ['2.5', '8']])
    const outranked = await feed(day2, litellmFile({ ...base, alpha: { input: 1.8, output: 8 } }))
    expect([outranked.changes, outranked.changed]).toEqual([[], []])
    expect(await priceOf('acme:alpha')).toEqual(['2.5', '8'])
  })

  test('a hold ends when an independent source says the same, as the move it is, verified', async () => {
    await feed(day1, genai(2), ownFirst)
    await feed(day1, litellmFile(base))
    const held = await feed(day2, genai(0.1), ownFirst)
    expect(held.held).toHaveLength(1)
    const second = await feed(day3, litellmFile({ ...base, alpha: { input: 0.1, output: 8 } }))
    expect(publishedBy(second)).toEqual(['price_cut acme:alpha'])
    expect(await priceOf('acme:alpha')).toEqual(['0.1', '8'])
    expect(await changes()).toMatchObject([{ verified: true }])
    expect(await listHolds(database.db, { state: 'open' })).toEqual([])
  })

  test('a hold says what is served in its place now, when another source has been read', async () => {
    await feed(day1, litellmFile({ ...base, alpha: { input: 2000, output: 8 } }))
    const [alone] = await listHolds(database.db, { state: 'open' })
    expect(alone).toMatchObject({ reason: 'range', before: { input_per_mtok: null } })
    await feed(day2, genai(2), ownFirst)
    const [beside] = await listHolds(database.db, { state: 'open' })
    expect(beside).toEqual({
      ...alone,
      before: { ...alone!.before, input_per_mtok: '2', output_per_mtok: '8' },
    })
  })

  test('what another source says already is corrected to it: only one of them moved', async () => {
    await feed(day1, genai(2), ownFirst)
    await feed(day1, litellmFile({ ...base, alpha: { input: 0.1, output: 8 } }))
    const report = await feed(day2, genai(0.1), ownFirst)
    expect([publishedBy(report), report.held]).toEqual([['correction acme:alpha'], []])
    expect(await changes()).toMatchObject([{ verified: false }])
  })

  test('a change is verified when another source makes the move later', async () => {
    await feed(day1, genai(2), ownFirst)
    await feed(day1, litellmFile(base))
    await feed(day2, genai(1.5), ownFirst)
    expect(await changes()).toEqual([])
    // Denied by the other list, it is told when it has stood for as long as a denial counts.
    await feed('2026-03-13T00:00:00Z', genai(1.5), ownFirst)
    expect(await changes()).toMatchObject([{ verified: false, verified_at: null }])
    await feed('2026-03-14T00:00:00Z', litellmFile({ ...base, alpha: { input: 1.5, output: 8 } }))
    expect(await changes()).toMatchObject([{ verified: true, verified_at: '2026-03-14 00:00:00+00' }])
  })

  test('a model that one of two has no more is not removed', async () => {
    const genaiTwo = (ids: string[]) =>
      JSON.stringify([
        { id: 'acme', models: ids.map((id) => ({ id, prices: { input_mtok: 2, output_mtok: 8 } })) },
      ])
    const all = ['alpha', 'b', 'c', 'd', 'e']
    await feed(day1, litellmFile(base))
    await feed(day1, genaiTwo(all), ownFirst)
    await feed(day2, genaiTwo(all.slice(1)), ownFirst)
    expect(publishedBy(await feed(day4, genaiTwo(all.slice(1)), ownFirst))).toEqual([])
    expect(await priceOf('acme:alpha')).toEqual(['2', '8'])
  })
})

async function served(): Promise<unknown> {
  const { rows } = await sql`select * from prices order by resource_id`.execute(database.db)
  return rows
}

async function priceOf(id: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ input: string | null; output: string | null }>`
    select trim_scale(input_per_mtok)::text as input, trim_scale(output_per_mtok)::text as output
    from prices where resource_id = ${id}`.execute(database.db)
  return [rows[0]?.input ?? null, rows[0]?.output ?? null]
}

async function changes() {
  return database.db.selectFrom('changes').selectAll().orderBy('updated_at').execute()
}

async function outcomes(): Promise<string[]> {
  const rows = await database.db.selectFrom('feed_runs').select('outcome').orderBy('created_at').execute()
  return rows.map((row) => row.outcome)
}
