import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PriceRecord } from '../src/catalog/price-record.ts'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'
import { useCommands } from './support/use-commands.ts'

// When a price was so, and when we knew.

const database = useDatabase()
const { json, run } = useCommands(database)
const id = 'mistral:mistral-large'

beforeEach(() => sql`truncate prices, price_versions, changes cascade`.execute(database.db))

type Pair = readonly [input: string, output: string]

/** A run learns a state of the price. */
const learn = (day: string, [input, output]: Pair, more: Partial<PriceRecord> = {}) => {
  const amounts = { input_per_mtok: input, output_per_mtok: output }
  const record = priceRecord({ resource_id: id, ...amounts, effective_at: null, ...more })
  const options = { runId: null, observedAt: `${day}T12:00:00Z` }
  return database.db
    .transaction()
    .execute((trx) => writePrices(trx, [{ record, source: 'list', rates: null }], options))
}

/** An operator publishes a change, which gives a day. */
async function tell(day: string, effective_time: string, pair: Pair, more: Record<string, unknown> = {}) {
  const after = { [id]: { input_per_mtok: Number(pair[0]), output_per_mtok: pair[1] } }
  const change = changeFile({ effective_time, diff_after: JSON.stringify(after), ...more })
  const [change_id] = await publish(database.db, change)
  await sql`update changes set created_at = ${`${day}T12:00:00Z`} where id = ${change_id}`.execute(
    database.db,
  )
  return change_id
}

interface Row {
  id: string
  input_per_mtok: string
  output_per_mtok: string
}

async function asOf(day: string, ...words: string[]): Promise<string> {
  const { rows } = (await json('prices as-of', day, ...words)) as { rows: Row[] }
  return rows.map((row) => `${row.input_per_mtok}/${row.output_per_mtok}`).join()
}

const before: Pair = ['3', '9']
const after: Pair = ['2', '6']

describe('a list that is late', () => {
  beforeEach(async () => {
    await learn('2024-07-24', before)
    await learn('2025-02-06', after)
  })

  test('without a day a price was so since it is known', async () => {
    expect(await asOf('2024-10-15')).toBe('3/9')
    expect(await asOf('2025-02-06')).toBe('2/6')
  })

  test.each(['2024-09-18', '2025-06-01'])(
    'a change published on %s gives the day: as of a day between it is so, by the knowledge of that time not',
    async (published) => {
      const change = await tell(published, '2024-09-18', after)
      expect(await asOf('2024-10-15')).toBe('2/6')
      expect(await asOf('2024-10-15', '--known-at', '2024-10-15')).toBe('3/9')
      expect(await asOf('2024-09-18')).toBe('2/6')
      expect(await asOf('2024-09-17')).toBe('3/9')
      expect(await json('prices history', id)).toMatchObject([
        {
          valid_from: '2024-09-18T00:00:00.000000Z',
          valid_from_by: 'change',
          valid_from_change: change,
          known_from: '2025-02-06T12:00:00.000000Z',
        },
        { valid_from_by: 'first_seen', valid_from_change: null, known_from: '2024-07-24T12:00:00.000000Z' },
      ])
      const { stdout } = await run('prices history', id)
      expect(stdout).toContain(`2025-02-06 12:00:00  2024-09-18 (${change})`)
    },
  )

  test('what is known of the change counts, not only of the price', async () => {
    await tell('2025-06-01', '2024-09-18', after)
    expect(await asOf('2024-10-15', '--known-at', '2025-05-01')).toBe('3/9')
    expect(await asOf('2024-10-15', '--known-at', '2025-06-02')).toBe('2/6')
  })

  test('a later state of other fields changes nothing', async () => {
    await tell('2025-06-01', '2024-09-18', after)
    await learn('2025-07-01', after, { source_url: 'https://mistral.example/prices' })
    expect(await asOf('2024-10-15')).toBe('2/6')
    expect(await asOf('2024-09-17')).toBe('3/9')
  })

  test.each<[string, string, Pair, Record<string, unknown>]>([
    ['after the price was known', '2025-02-07', after, {}],
    ['in the future', '2999-01-01', after, {}],
    ['for amounts that were never served', '2024-09-18', ['2', '7'], {}],
    ['for another price', '2024-09-18', after, { diff_after: '{"mistral:other":{"input_per_mtok":2}}' }],
    ['in words', '2024-09-18', after, { diff_after: 'two and six' }],
    ['but is withdrawn', '2024-09-18', after, { status: 'withdrawn' }],
  ])('a change moves nothing whose day is %s', async (_, day, pair, more) => {
    await tell('2025-06-01', day, pair, more)
    expect(await asOf('2024-10-15')).toBe('3/9')
    expect(await asOf('2025-02-06')).toBe('2/6')
    expect(await asOf('2999-02-01')).toBe('2/6')
  })

  test('a day before the first state moves to the first state, and not before it', async () => {
    await tell('2025-06-01', '2024-01-01', after)
    expect(await asOf('2024-07-24')).toBe('2/6')
    expect(await asOf('2024-07-23')).toBe('')
  })

  test('an amount that only the change states is no difference', async () => {
    const stated = { input_per_mtok: 2, output_per_mtok: 6, cached_input_per_mtok: 0.2 }
    await tell('2025-06-01', '2024-09-18', after, { diff_after: JSON.stringify({ [id]: stated }) })
    expect(await asOf('2024-10-15')).toBe('2/6')
    await learn('2025-07-01', ['1', '4'], { cached_input_per_mtok: '0.1' })
    const other = { ...stated, input_per_mtok: 1, output_per_mtok: 4 }
    await tell('2025-07-02', '2024-09-18', ['1', '4'], { diff_after: JSON.stringify({ [id]: other }) })
    expect(await asOf('2024-10-15')).toBe('2/6')
  })

  test('of two changes the one that was published last counts', async () => {
    await tell('2025-06-01', '2024-09-18', after)
    await tell('2025-06-02', '2024-10-20', after)
    expect(await asOf('2024-10-15')).toBe('3/9')
    expect(await asOf('2024-10-20')).toBe('2/6')
    expect(await asOf('2024-10-15', '--known-at', '2025-06-02')).toBe('2/6')
  })
})

describe('a price that comes back', () => {
  beforeEach(async () => {
    await learn('2024-07-24', before)
    await learn('2024-09-20', after)
    await learn('2024-11-01', before)
    await learn('2025-02-06', after)
  })

  test('has the day of a change for the first time that it came: what was between is not wiped out', async () => {
    await tell('2025-06-01', '2024-09-18', after)
    expect(await asOf('2024-09-19')).toBe('2/6')
    expect(await asOf('2024-12-01')).toBe('3/9')
    await tell('2025-06-01', '2024-07-20', before, { category: 'model_added' })
    expect(await asOf('2024-10-15')).toBe('2/6')
  })

  test('has the day of a change for the first time after it', async () => {
    await tell('2025-06-01', '2024-11-15', after)
    expect(await asOf('2024-12-01')).toBe('2/6')
    expect(await asOf('2024-11-10')).toBe('3/9')
  })

  test('a correction says that what was between was never true', async () => {
    await tell('2025-06-01', '2024-09-18', after, { category: 'correction' })
    expect(await asOf('2024-12-01')).toBe('2/6')
    expect(await asOf('2024-09-17')).toBe('3/9')
    expect(await asOf('2024-12-01', '--known-at', '2024-12-01')).toBe('3/9')
    await learn('2025-07-01', before)
    await learn('2025-08-01', after)
    expect(await asOf('2025-07-15')).toBe('3/9')
  })
})

describe('a source that dates its price', () => {
  test('and is read late moves it to its day, before the first state too', async () => {
    await learn('2024-07-24', before)
    await learn('2025-02-06', after, { effective_at: '2024-09-18' })
    expect(await asOf('2024-10-15')).toBe('2/6')
    expect(await asOf('2024-10-15', '--known-at', '2024-10-15')).toBe('3/9')
    await learn('2025-03-01', ['1', '4'], { effective_at: '2024-02-26' })
    expect(await asOf('2024-03-01')).toBe('1/4')
    expect(await json('prices history', id)).toMatchObject([
      { valid_from: '2024-02-26T00:00:00.000000Z', valid_from_by: 'source' },
      { valid_from: '2024-09-18T00:00:00.000000Z', valid_from_by: 'source' },
      { valid_from_by: 'first_seen' },
    ])
  })

  test('ahead of the moment at which it is served has not dated it: it is so', async () => {
    await learn('2024-07-24', before)
    await learn('2025-02-06', after, { effective_at: '2999-01-01' })
    expect(await asOf('2025-02-06')).toBe('2/6')
    expect(await json('prices history', id)).toMatchObject([
      { valid_from: '2025-02-06T12:00:00.000000Z', valid_from_by: 'first_seen' },
      {},
    ])
  })

  test('later than a change does not move what the change says', async () => {
    await learn('2024-07-24', before)
    await learn('2025-02-06', after, { effective_at: '2024-11-01' })
    await tell('2025-06-01', '2024-09-18', after)
    expect(await asOf('2024-10-15')).toBe('2/6')
  })
})

describe('JSON that is cut says so', () => {
  const cut = (max: number) => ({ shown: 1, all: `--limit ${max}` })
  beforeEach(async () => {
    await learn('2024-07-24', before)
    await learn('2024-07-24', before, { resource_id: 'mistral:other' })
    await publish(database.db, changeFile(), changeFile())
  })

  test.each([
    ['prices list', 100_000],
    ['prices as-of 2999-01-01', 100_000],
    ['changes list', 10_000],
  ])('%s', async (command, max) => {
    const short = (await json(command, '--limit', '1')) as { rows: unknown[]; cut: unknown }
    expect([short.rows.length, short.cut]).toEqual([1, cut(max)])
    for (const limit of ['2', String(max)]) {
      const whole = (await json(command, '--limit', limit)) as { rows: unknown[]; cut: unknown }
      expect([whole.rows.length, whole.cut]).toEqual([2, null])
    }
    const people = await run(command, '--limit', '1')
    expect(people.stderr).toBe(`There are more: --limit ${max}\n`)
    expect((await run(command)).stderr).toBe('')
  })
})
