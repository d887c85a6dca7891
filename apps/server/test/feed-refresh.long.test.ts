import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { runSource } from '../src/ingest/run/run-source.ts'
import { useDatabase } from './support/postgres.ts'
import { litellmFile, startPriceSite, type PriceSite } from './support/price-site.ts'
import { useCommands } from './support/use-commands.ts'

// Reading all sources at once, how old their data is, what is not read of it, and clocks that were wrong.

const database = useDatabase()
const { fileWith, json, run } = useCommands(database)

const files: Record<string, unknown> = {
  'genai-prices': [
    {
      id: 'anthropic',
      models: [
        {
          id: 'claude-9',
          prices: [
            { prices: { input_mtok: 3 } },
            { constraint: { start_date: '2026-10-02' }, prices: { input_mtok: 2, output_mtok: 8 } },
            { constraint: { start_date: '2999-01-01' }, prices: { input_mtok: 1 } },
          ],
        },
      ],
    },
  ],
  litellm: litellmFile({ 'gpt-9': [2, 8] }),
  'llm-prices': {
    updated_at: '2026-08-05',
    prices: [{ id: 'nova-9', vendor: 'amazon', name: 'Nova 9', input: 1, output: 2 }],
  },
  'models.dev': {
    xai: { models: { 'grok-9': { cost: { input: 3, output: 5, thought: 4 }, last_updated: '2026-07-01' } } },
  },
  openrouter: { data: [{ id: 'x/y', created: 1_785_478_908, pricing: { prompt: '0.000001' } }] },
  portkey: { groq: { 'llama-9': { pricing_config: { pay_as_you_go: { request_token: { price: 1e-5 } } } } } },
}
const names = Object.keys(files)
const sites = new Map<string, PriceSite>()
beforeAll(async () => {
  for (const name of names) sites.set(name, await startPriceSite())
})
afterAll(() => Promise.all([...sites.values()].map((site) => site.close())))

beforeEach(async () => {
  await sql`truncate feed_runs, feed_sources, feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices, prices, price_versions, changes cascade`.execute(
    database.db,
  )
  for (const [name, file] of Object.entries(files)) site(name).serve(file as Record<string, unknown>)
  const schedule = names.map((source) => ({ source, url: site(source).url }))
  vi.stubEnv('FEED_SOURCES', JSON.stringify(schedule))
})

describe('feed refresh', () => {
  test('reads every source, and again only what is new', async () => {
    const report = await json('feed refresh')
    expect(report).toMatchObject(
      names.map((id) => ({ id, url: site(id).url, outcome: 'applied', added: 1, rows: 1, changed: 0 })),
    )
    const days = (report as { data_at: string | null }[]).map(({ data_at }) => data_at)
    expect(days).toEqual(['2026-10-02', null, '2026-08-05', '2026-07-01', '2026-07-31', null])
    site('litellm').serve(litellmFile({ 'gpt-9': [1.5, 8] }))
    expect(await json('feed refresh --no-alert')).toMatchObject(
      names.map((id) => ({ id, outcome: 'applied', added: 0, changed: id === 'litellm' ? 1 : 0 })),
    )
    expect(names.map((name) => site(name).statuses.at(-1))).toEqual([304, 200, 304, 304, 304, 304])
  })

  test('goes on after one that fails, says which, and exits with 1', async () => {
    site('models.dev').serve(404)
    site('litellm').serve({ a: { no: 'model' } })
    const { exitCode, stdout, stderr } = await run('feed refresh')
    expect([exitCode, stderr]).toEqual([1, ''])
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())
    expect(lines[0]).toBe('source outcome data of rows added changed held changes why')
    expect(lines).toContain('genai-prices applied 2026-10-02 1 1 0 0 0 –')
    expect(lines.find((line) => line.startsWith('litellm failed'))).toMatch(/not a LiteLLM price file/)
    expect(lines.find((line) => line.startsWith('models.dev failed'))).toMatch(/it answers 404/)
    expect(lines).toContain('portkey applied – 1 1 0 0 0 –')
    const { rows } = await sql`select count(*)::int as count from prices`.execute(database.db)
    expect(rows).toEqual([{ count: 4 }])
  })

  test('reads those that are named; a dry run writes nothing', async () => {
    const report = await json('feed refresh portkey openrouter --dry-run')
    expect(report).toMatchObject([
      { id: 'portkey', added: 1, run_id: null },
      { id: 'openrouter', added: 1, run_id: null },
    ])
    expect(await json('feed status')).toMatchObject(names.map(() => ({ outcome: null })))
    expect((await run('feed refresh litellm --dry-run')).stdout).toContain('Nothing was written')
    const { exitCode, stderr } = await run('feed refresh own-csv')
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('portkey')])
  })
})

describe('feed status', () => {
  test('tells the age of the data from that of the reading', async () => {
    await json('feed refresh')
    const status = (await json('feed status')) as Record<string, unknown>[]
    const of = (id: string) => status.find((one) => one.id === id)
    const day = Date.parse('2026-10-02T00:00:00Z')
    const ageSeconds = (Date.now() - day) / 1_000
    expect(of('genai-prices')).toMatchObject({ data_at: '2026-10-02', every: '6h' })
    expect(Math.abs(Number(of('genai-prices')?.data_age_seconds) - ageSeconds)).toBeLessThan(600)
    expect(of('litellm')).toMatchObject({ data_at: null, data_age_seconds: null, every: '1h' })
    const { stdout } = await run('feed status')
    expect(stdout).toMatch(/source +last run \(UTC\) +read +data of +data age +every/)
    expect(stdout).toMatch(/genai-prices +\S+ \S+ +\d+ s +2026-10-02 +\d+ days +6h/)
  })

  test('names fields with prices that no importer knows, as the run does', async () => {
    expect((await run('feed refresh models.dev')).stdout).toMatch(
      /models\.dev +cost\.thought +1 +4 in xai\/grok-9/,
    )
    const unknown = [{ field: 'cost.thought', rows: 1, example: { id: 'xai/grok-9', value: '4' } }]
    const known = async () => {
      const status = (await json('feed status')) as { id: string; unknown_fields: unknown }[]
      return status.find(({ id }) => id === 'models.dev')?.unknown_fields
    }
    expect(await known()).toEqual(unknown)
    await json('feed refresh models.dev')
    expect(await known()).toEqual(unknown)
    expect((await run('feed status')).stdout).toMatch(/holds prices and is not read/)
  })
})

test('the age of a list without a date is that of its answer', async () => {
  const url = site('litellm').url
  await runSource(database.db, { source: 'litellm', location: { url }, alerts: null })
  const at = async () => {
    const rows = (await json('feed status')) as { id: string; data_at: string | null }[]
    return rows.find(({ id }) => id === 'litellm')?.data_at
  }
  expect(await at()).toBeNull()
  site('litellm').lastModified = 'Tue, 22 Sep 2026 06:00:00 GMT'
  site('litellm').serve(litellmFile({ 'gpt-9': [2, 9] }))
  await runSource(database.db, { source: 'litellm', location: { url }, alerts: null })
  expect(await at()).toBe('2026-09-22')
})

test('the same data is no newer when a day has come that it announced', async () => {
  const dated = (start_date: string, input_mtok: number) => ({
    constraint: { start_date },
    prices: { input_mtok },
  })
  const prices = [{ prices: { input_mtok: 3 } }, dated('2026-09-01', 2), dated('2026-10-02', 1)]
  const file = await fileWith('genai.json', [{ id: 'anthropic', models: [{ id: 'claude-9', prices }] }])
  for (const day of ['2026-10-01', '2026-10-03']) {
    await json('feed run genai-prices --no-alert --file', file, '--observed-at', day)
    const status = (await json('feed status')) as { id: string; data_at: string }[]
    expect(status.find(({ id }) => id === 'genai-prices')?.data_at).toBe('2026-09-01')
  }
})

test('what comes with the program does not replace newer data of an address', async () => {
  await json('feed refresh genai-prices')
  vi.stubEnv('FEED_SOURCES', '[]')
  expect(await json('feed run genai-prices')).toMatchObject({
    added: [],
    changed: [],
    rows: 1,
    outcome: 'applied',
  })
  expect((await run('feed run genai-prices --dry-run')).stderr).toMatch(/at least as new/)
  await sql`update feed_runs set data_at = '2020-01-01'`.execute(database.db)
  expect((await run('feed run genai-prices --dry-run')).stdout).toMatch(/genai-prices/)
})

describe('a clock that was wrong', () => {
  const runAt = async (input: number, at: string) => {
    const file = await fileWith('litellm.json', litellmFile({ 'gpt-9': [input, 8], 'gpt-8': [1, 4] }))
    return run('feed run litellm --no-alert --json --file', file, '--observed-at', at)
  }
  const inputsAt = async (day: string) => {
    const { rows } = (await json('prices as-of', day, '--product', 'openai/gpt-9')) as {
      rows: { input_per_mtok: string }[]
    }
    return rows.map((row) => row.input_per_mtok).join()
  }

  test('of the future is refused, and one in the database can be taken back', async () => {
    await runAt(2, '2026-01-01T00:00:00Z')
    expect(await runAt(1.5, '2036-01-01')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/future/) as string,
    })

    // As an earlier release let it in.
    await runAt(1.5, '2026-01-05T00:00:00Z')
    for (const [table, column] of [
      ['feed_runs', 'observed_at'],
      ['price_versions', 'observed_at'],
      ['feed_sources', 'last_observed_at'],
    ] as const)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = '2036-01-01'
        where ${sql.ref(column)} = '2026-01-05'`.execute(database.db)
    expect(await runAt(1.75, '2026-01-06')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/back in time/) as string,
    })

    expect(await json('feed rewind litellm --to 2026-01-05')).toEqual({
      source: 'litellm',
      from: '2036-01-01T00:00:00.000000Z',
      to: '2026-01-05T00:00:00.000000Z',
      runs: 1,
      versions: 1,
    })
    expect(await runAt(1.75, '2026-01-06')).toMatchObject({ exitCode: 0 })
    const days = []
    for (const day of ['01', '04', '05', '06']) days.push(await inputsAt(`2026-01-${day}`))
    expect(days).toEqual(['2', '2', '1.5', '1.75'])
  })

  test.each<[string, string[], RegExp]>([
    ['nothing is later', ['litellm', '--to', '2026-01-05'], /nothing to take back/],
    ['it was never read', ['portkey', '--to', '2026-01-05'], /never read/],
    ['the time is to come', ['litellm', '--to', '2999-01-05'], /in the future/],
    ['there is no time', ['litellm'], /--to/],
  ])('is not taken back when %s', async (_, words, message) => {
    await runAt(2, '2026-01-01T00:00:00Z')
    const { exitCode, stderr } = await run('feed rewind', ...words)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('text that PostgreSQL refuses crashes no run:', () => {
  const row = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 }
  test.each<[string, Record<string, unknown>, number]>([
    ['a key', { a: row, 'b\0': row }, 1],
    ['half a character in a key', { a: row, 'b\ud800': row, 'c\ud800': 5 }, 2],
    ['a maker', { a: row, b: { ...row, litellm_provider: 'op\0en' } }, 1],
    ['the name of a rate', { a: row, b: { ...row, provider_specific_entry: { 'u\0s': 1.1 } } }, 1],
    ['an amount', { a: row, b: { ...row, input_cost_per_token: '1\0' } }, 1],
    ['a field with a price', { a: row, b: { ...row, 'input_price\0': 1 } }, 0],
    ['a model without a seller', { a: row, 'b\0': { input_cost_per_token: 1 } }, 1],
    ['an example', { a: row, 'b\0': { ...row, input_price: 1 } }, 1],
  ])('%s', async (_, file, rejected) => {
    const path = await fileWith('nul.json', file)
    const report = (await json('feed run litellm --file', path)) as { rejected: unknown[]; outcome: string }
    expect([report.outcome, report.rejected.length]).toEqual(['applied', rejected])
    expect(await json('feed run litellm --file', path)).toMatchObject({ outcome: 'applied', changed: [] })
  })
})

function site(name: string): PriceSite {
  return sites.get(name)!
}
