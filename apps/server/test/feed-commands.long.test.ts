import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { useDatabase } from './support/postgres.ts'
import { litellmFile, startPriceSite } from './support/price-site.ts'
import { useCommands } from './support/use-commands.ts'

// The operator's commands of the feed, in this process. Other tests cover the process itself.

const database = useDatabase()
const { fileWith, folder, json, run } = useCommands(database)

beforeEach(async () => {
  await sql`truncate feed_runs, feed_sources, feed_claims, claim_versions, price_standings, feed_holds, prices, price_versions, changes cascade`.execute(
    database.db,
  )
})

const day = (date: number) => `2024-07-0${date}T12:00:00Z`
/** A file of the right shape of which no row can be stored. */
const unservable = JSON.stringify({
  'gpt-9': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: { usd: 1 } },
})

const inputs = async () => {
  const { rows } = (await json('prices as-of 2999-01-01')) as { rows: { input_per_mtok: string }[] }
  return rows.map((row) => row.input_per_mtok)
}

describe('feed run', () => {
  test('shows what would change before it is written, and what was', async () => {
    await runLitellm({ 'gpt-9': [2, 8], 'gpt-8': [1, 4] }, day(1))
    const next = { 'gpt-9': [1.5, 8], 'gpt-8': [100, 4], 'gpt-10': [3, 12] } as const
    const file = await fileWith('next.json', litellmFile(next))
    const dry = await run('feed run litellm --dry-run --file', file, '--observed-at', day(2))
    const lines = dry.stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())
    expect(lines).toContain(
      'source outcome version data of rows added changed unchanged rejected mended held gone changes',
    )
    expect(lines).toContain('openai:gpt-9 input_per_mtok 2 → 1.5 −25\u00a0%')
    expect(lines).toContain('openai:gpt-10 3 12 1m_tokens')
    expect(lines).toContain('openai:gpt-8 factor input_per_mtok 1 → 100 +9,900\u00a0%')
    expect(dry.stdout).toContain('Nothing was written (--dry-run).')
    expect(await json('prices as-of 2999-01-01 --product openai/gpt-9')).toMatchObject({
      rows: [{ input_per_mtok: '2' }],
    })

    const report = await json('feed run litellm --no-alert --file', file, '--observed-at', day(2))
    expect(report).toMatchObject({
      id: expect.stringMatching(/^run_/) as string,
      dry_run: false,
      source: 'litellm',
      outcome: 'applied',
      observed_at: '2024-07-02T12:00:00.000000Z',
      rows: 3,
      unchanged: 1,
      added: [{ id: 'openai:gpt-10' }],
      changed: [{ id: 'openai:gpt-9', fields: ['input_per_mtok'], before: { input_per_mtok: '2' } }],
      held: [{ id: 'openai:gpt-8', reason: 'factor', first_seen: '2024-07-02T12:00:00.000000Z' }],
      gone: [],
    })
    const again = await json('feed run litellm --file', file, '--observed-at', day(2))
    expect(again).toMatchObject({ added: [], changed: [], unchanged: 3, held: [], changes: [] })
  })

  test('takes what it can of a file that is not the whole of its source, and exits with 1 when that is nothing', async () => {
    await runLitellm({ 'gpt-9': [2, 8], 'gpt-8': [1, 4], 'gpt-7': [1, 4] }, day(1))
    const cut = await fileWith('cut.json', litellmFile({ 'gpt-9': [1.8, 8] }))
    expect(await json('feed run litellm --no-alert --file', cut, '--observed-at', day(2))).toMatchObject({
      ...{ outcome: 'applied', changed: [{ id: 'openai:gpt-9' }], held: [] },
      gone: [{ id: 'openai:gpt-7' }, { id: 'openai:gpt-8' }],
    })
    expect(await inputs()).toEqual(['1', '1', '1.8'])
    const none = await fileWith('none.json', unservable)
    const refused = await run('feed run litellm --file', none, '--observed-at', day(3))
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('none of its entries is a model')
    expect(await inputs()).toEqual(['1', '1', '1.8'])
  })

  test.each<[string, string[], RegExp]>([
    ['no file', ['feed', 'run', 'litellm'], /--file PATH or --url URL/],
    ['a source there is not', ['feed', 'run', 'x'], /genai-prices, litellm/],
    ['a time there is not', ['feed', 'run', 'litellm', '--observed-at', 'noon'], /2026-01-31/],
    [
      'a clock ahead of its time',
      ['feed', 'run', 'genai-prices', '--observed-at', '2999-01-01'],
      /in the future/,
    ],
    ['dated prices of a day to come', ['feed', 'due', '--observed-at', '2999-01-01'], /in the future/],
    ['no file to import', ['prices', 'import', '--source', 'litellm'], /--file PATH or --url URL/],
    ['neither a hold nor a run', ['feed', 'review', 'accept'], /--run RUN_ID/],
    ['no reason', ['feed', 'review', 'reject', 'x'], /--reason/],
    ['a state there is not', ['feed', 'review', '--state', 'x'], /open, accepted/],
  ])('and the others, used wrongly, exit with 2: %s', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await run(...args)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test.each<[string, string[], RegExp]>([
    ['is not there', ['--file', '/none'], /Cannot read \/none: there is no such file/],
    ['cannot be reached', ['--url', 'http://127.0.0.1:2/x'], /no connection \(ECONNREFUSED\)/],
    ['is no web address', ['--url', 'ftp://x/y'], /http or https/],
    ['is another', ['--file', join(folder, 'other.json')], /not a LiteLLM price file/],
  ])('and prices import say when what they are to read %s', async (_, words, message) => {
    await fileWith('other.json', [1])
    for (const command of ['feed run litellm', 'prices import --source litellm']) {
      const { exitCode, stdout, stderr } = await run(command, ...words)
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(message)
    }
  })

  test('reads the address of FEED_SOURCES, and asks it for news only', async () => {
    const site = await startPriceSite()
    try {
      site.serve(litellmFile({ 'gpt-9': [2, 8] }))
      const FEED_SOURCES = JSON.stringify([{ source: 'litellm', url: site.url, every: '1h' }])
      vi.stubEnv('FEED_SOURCES', FEED_SOURCES)
      expect(await json('feed run litellm')).toMatchObject({ rows: 1, added: [{ id: 'openai:gpt-9' }] })
      expect(await json('feed run litellm')).toMatchObject({ rows: 1, added: [], unchanged: 1 })
      expect(site.statuses).toEqual([200, 304])
    } finally {
      await site.close()
    }
  })
})

test('feed status shows sources that were run, and those that are to be', async () => {
  await runLitellm({ 'gpt-9': [2, 8], 'azure/': [1, 1] }, day(1))
  vi.stubEnv('FEED_SOURCES', '[{"source":"genai-prices","every":"6h"}]')
  expect(await json('feed status')).toMatchObject([
    {
      id: 'litellm',
      observed_at: '2024-07-01T12:00:00.000000Z',
      outcome: 'applied',
      rows: 2,
      rejected: 1,
      held: 0,
      every: null,
      rejections: [{ id: 'azure/' }],
    },
    { id: 'genai-prices', outcome: null, every: '6h', observed_at: null },
  ])
  const { stdout } = await run('feed status')
  expect(stdout).toMatch(/litellm +2024-07-01 12:00:00 +\d+ days +– +– +by hand +applied/)
  expect(stdout).toMatch(/genai-prices +– +– +– +– +6h +never run/)
})

describe('feed review', () => {
  interface HoldDocument {
    id: string
    run_id: string
    resource_id: string
  }

  async function hold(): Promise<HoldDocument[]> {
    await runLitellm({ 'gpt-9': [2, 8], 'gpt-8': [1, 4] }, day(1))
    await runLitellm({ 'gpt-9': [40, 8], 'gpt-8': [20, 4] }, day(2))
    return ((await json('feed review')) as { rows: HoldDocument[] }).rows
  }

  test('lists what waits, with what it would do', async () => {
    expect((await run('feed review')).stdout).toBe('No price move waits for a review.\n')
    expect(await hold()).toMatchObject([
      { resource_id: 'openai:gpt-8', reason: 'factor', fields: ['input_per_mtok'], state: 'open' },
      { resource_id: 'openai:gpt-9', reason: 'factor', before: { input_per_mtok: '2' } },
    ])
    expect((await run('feed review')).stdout).toMatch(
      /hold_\w+ +run_\w+ +litellm +openai:gpt-9 +factor +input_per_mtok +2 +→ +40 +\+1,900\s%/,
    )
    const none = { refusals: [], floods: [], rows: [], cut: null }
    expect(await json('feed review --source genai-prices')).toEqual(none)
    expect(await inputs()).toEqual(['1', '2'])
  })

  test('lists each of many in JSON and with --all, and else how many of each reason', async () => {
    const many = (input: number) =>
      Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`gpt-9-${index}`, [input, 8] as const]))
    await runLitellm(many(2), day(1))
    await runLitellm(many(40), day(2))
    const { rows } = (await json('feed review')) as { rows: { reason: string }[] }
    expect(rows).toHaveLength(31)
    const { stdout } = await run('feed review')
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())
    expect(lines).toEqual([
      'source reason moves oldest since (UTC) such as',
      `litellm ${rows[0]?.reason} 31 2024-07-02 12:00:00 openai:gpt-9-0`,
      '',
      '31 price moves: --all lists each, --source NAME those of a source.',
      '',
    ])
    expect((await run('feed review --all')).stdout.match(/^hold_/gm)).toHaveLength(31)
  })

  test('begins with the sources that are not taken in: why, since when, and what to do', async () => {
    const models = { 'gpt-9': [2, 8], 'gpt-8': [1, 4], 'gpt-7': [1, 4] } as const
    await runLitellm(models, day(1))
    const none = await fileWith('none.json', unservable)
    for (const date of [2, 3])
      expect((await run('feed run litellm --file', none, '--observed-at', day(date))).exitCode).toBe(1)
    const command = 'ratecard feed run litellm --file PATH'
    expect(await json('feed review')).toMatchObject({
      refusals: [
        {
          source: 'litellm',
          outcome: 'refused',
          message: expect.stringContaining('none of its entries is a model') as string,
          since: '2024-07-02T12:00:00.000000Z',
          runs: 2,
          loaded_at: '2024-07-01T12:00:00.000000Z',
          command,
        },
      ],
      rows: [],
    })
    const { stdout } = await run('feed review')
    expect(stdout).toMatch(/litellm +refused +2024-07-02 12:00:00 +2 +2024-07-01 12:00:00 +\w+ +This is not/)
    expect(stdout).toContain(`litellm: No option takes such a file.`)
    expect(stdout).toContain(command)
    expect(stdout).toContain('No price move waits for a review.')
    expect(await json('feed review --source genai-prices')).toMatchObject({ refusals: [] })

    await runLitellm(models, day(4))
    expect(await json('feed review')).toMatchObject({ refusals: [] })
  })

  test('and with those that answer nothing of use, or nothing at all', async () => {
    const refusal = async () => ((await json('feed review')) as { refusals: object[] }).refusals[0]
    const site = await startPriceSite()
    try {
      const read = (...more: string[]) => run('feed run litellm --no-alert --url', site.url, ...more)
      site.serve('<!doctype html><html>')
      await read()
      expect(await refusal()).toMatchObject({ outcome: 'refused', runs: 1, loaded_at: null })
      site.serve(' '.repeat(20_000_001))
      await read('--dry-run')
      expect(await refusal()).toMatchObject({ runs: 1 })
      await read()
      expect(await refusal()).toMatchObject({
        outcome: 'refused',
        runs: 2,
        message: expect.stringContaining('larger than 20 MB') as string,
      })
      site.serve(404)
      await read()
      expect(await refusal()).toMatchObject({
        outcome: 'unreachable',
        runs: 3,
        message: expect.stringContaining('it answers 404') as string,
      })
      site.serve(litellmFile({ 'gpt-9': [2, 8] }))
      await read()
      expect(await refusal()).toBeUndefined()
      // Who names a file that is not there is told so.
      await run('feed run litellm --file /none')
      expect(await refusal()).toBeUndefined()
      // What was loaded stays known, and is asked for as before.
      site.serve(404)
      await read()
      expect(await json('feed status')).toMatchObject([{ outcome: 'unreachable', rows: 1, url: site.url }])
      site.serve(litellmFile({ 'gpt-9': [2, 8] }))
      expect((await read()).exitCode).toBe(0)
      expect(site.statuses.slice(-2)).toEqual([404, 304])
    } finally {
      await site.close()
    }
  })

  test('shows one with what every source claims, what is served and why', async () => {
    const [, nine] = await hold()
    const { stdout } = await run('feed review show', nine?.id ?? '')
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())
    expect(lines[0]).toBe('openai:gpt-9 (openai/gpt-9), by litellm since 2024-07-02 12:00:00: factor')
    expect(lines[1]).toContain('looks like a mistake of the unit')
    expect(lines).toContain('served 2 8 USD – – – –')
    expect(lines).toContain('litellm (waits) 40 (2) 8 USD 2024-07-02 12:00:00 2024-07-02 12:00:00 gpt-9 –')
    expect(lines).toContain('Input: 2 stays served. No source states it any more. litellm states 40.')
    expect(await json('feed review show', nine?.id ?? '')).toMatchObject({
      hold: { id: nine?.id, decided_by: null },
      product_id: 'openai/gpt-9',
      claims: [{ source: 'litellm', is_held: true, moves: [{ field: 'input_per_mtok', before: '2' }] }],
    })
    expect(await run('feed review show hold_none')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('hold_none') as string,
    })
  })

  test('accepts one as the move it is, and rejects another with a reason', async () => {
    const [eight, nine] = await hold()
    expect(await json('feed review accept', nine?.id ?? '')).toMatchObject({
      accepted: [{ id: nine?.id, resource_id: 'openai:gpt-9' }],
      changes: [{ category: 'price_rise', product: 'openai/gpt-9' }],
    })
    expect(await inputs()).toEqual(['1', '40'])
    const rejected = await run('feed review reject', eight?.id ?? '', '--reason', 'a slip')
    expect(rejected).toMatchObject({ exitCode: 0, stdout: '1 rejected.\n' })
    expect(await inputs()).toEqual(['1', '40'])
    const rejections = { rows: [{ id: eight?.id, note: 'a slip' }], cut: null }
    expect(await json('feed review --state rejected')).toMatchObject(rejections)
    const twice = await run('feed review accept', eight?.id ?? '')
    expect(twice).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('rejected') as string,
    })
  })

  test('accepts all of a run as corrections', async () => {
    const [first] = await hold()
    const report = (await json(
      'feed review accept --as correction --run',
      first?.run_id ?? '',
      '--note',
      'mended',
    )) as { changes: { category: string }[]; deliveries: number }
    expect(report.changes.map((change) => change.category)).toEqual(['correction', 'correction'])
    expect(report.deliveries).toBe(0)
    expect(await inputs()).toEqual(['20', '40'])
    expect((await run('feed review accept --run', first?.run_id ?? '')).stderr).toContain('is waiting')
  })
})

test('feed disagreements names the amounts that sources state apart', async () => {
  await runLitellm({ 'gpt-4o': [5, 10] }, day(1))
  await json('feed run genai-prices --no-alert')
  const report = await json('feed disagreements')
  expect(report).toEqual({
    compared: expect.any(Number) as number,
    disagreeing: 1,
    // Two of the sources state other inputs, so the price is confirmed by none.
    ...{ priced: expect.any(Number) as number, confirmed: 0, outvoted: 0 },
    disagreements: [
      {
        id: 'openai:gpt-4o',
        field: 'input_per_mtok',
        values: { litellm: '5', 'genai-prices': '2.5' },
        served: 'litellm',
        spread_pct: 50,
      },
    ],
  })
  const { stdout } = await run('feed disagreements')
  expect(stdout).toMatch(/openai:gpt-4o +input_per_mtok .*litellm → 5.* litellm +50 %/)
  expect(stdout).toContain('1 of 2 amounts')
})

test('feed due says when nothing begins', async () => {
  expect(await run('feed due')).toMatchObject({ exitCode: 0, stdout: 'No dated price begins.\n' })
  expect(await json('feed due --observed-at 2026-09-01')).toMatchObject({ applied: [], changes: [] })
})

describe('prices', () => {
  test('history shows each state with what moved; as-of the one that held, by what was known', async () => {
    await runLitellm({ 'gpt-9': [2, 8] }, day(1))
    await runLitellm({ 'gpt-9': [1.5, 8] }, day(3))

    const history = (await json('prices history openai:gpt-9')) as { input_per_mtok: string }[]
    expect(history).toMatchObject([
      {
        id: 'openai:gpt-9',
        input_per_mtok: '1.5',
        known_from: '2024-07-03T12:00:00.000000Z',
        source: 'litellm',
      },
      { input_per_mtok: '2', valid_from: '2024-07-01T12:00:00.000000Z' },
    ])
    expect((await run('prices history openai:gpt-9')).stdout).toMatch(
      /2024-07-03 12:00:00 .* input_per_mtok +2 +→ +1.5 +−25\s%/,
    )
    expect((await run('prices history openai:none')).stderr).toContain('"openai:none"')

    const inputAt = async (...words: string[]) => {
      const { rows } = (await json('prices as-of', ...words)) as { rows: { input_per_mtok: string }[] }
      return rows.map((row) => row.input_per_mtok)
    }
    expect(await inputAt('2024-06-30')).toEqual([])
    expect(await inputAt('2024-07-02', '--platform', 'openai')).toEqual(['2'])
    expect(await inputAt('2024-07-03')).toEqual(['1.5'])
    expect(await inputAt('2024-07-03T11:00:00Z')).toEqual(['2'])
    expect(await inputAt('2024-07-04', '--known-at', '2024-07-02')).toEqual(['2'])
    expect(await inputAt('2024-07-04', '--platform', 'azure')).toEqual([])

    // Later knowledge of an earlier day counts for that day: by present knowledge, not by that of the day.
    await sql`
      insert into price_versions (resource_id, updated_at, observed_at, source, record)
      select resource_id, now() + interval '1 hour', '2024-07-05T12:00:00Z', source, record || '{"input_per_mtok":"1.75","effective_at":"2024-07-02"}'
      from price_versions where observed_at = '2024-07-03T12:00:00Z'`.execute(database.db)
    expect(await inputAt('2024-07-02')).toEqual(['1.75'])
    expect(await inputAt('2024-07-01')).toEqual(['2'])
    expect(await inputAt('2024-07-02', '--known-at', '2024-07-04')).toEqual(['2'])
  })

  test('a replay of days long past answers for every day of it', async () => {
    for (const [date, input] of [
      [1, 2],
      [3, 1.5],
      [5, 1.75],
    ] as const)
      await runLitellm({ 'gpt-9': [input, 8], 'gpt-8': [1, 4] }, day(date))
    const inputs = async (...words: string[]) => {
      const { rows } = (await json('prices as-of', ...words, '--product', 'openai/gpt-9')) as {
        rows: { input_per_mtok: string }[]
      }
      return rows.map((row) => row.input_per_mtok).join()
    }
    const days = ['06-30', '07-01', '07-02', '07-03', '07-04', '07-05', '07-06']
    const byDay = []
    for (const date of days) byDay.push(await inputs(`2024-${date}`))
    expect(byDay).toEqual(['', '2', '2', '1.5', '1.5', '1.75', '1.75'])
    expect(await inputs('2024-07-06', '--known-at', '2024-07-04')).toBe('1.5')

    // Clients find what moved since their last request by the wall clock.
    const { rows } = await sql<{ isNow: boolean }>`
      select updated_at > now() - interval '1 hour' as "isNow" from prices`.execute(database.db)
    expect(rows).toEqual([{ isNow: true }, { isNow: true }])
  })

  test('import is a run of the feed, whose figures add up to the rows of the file', async () => {
    await runLitellm({ 'gpt-9': [2, 8], 'gpt-8': [1, 4] }, day(1))
    const file = await fileWith(
      'import.json',
      litellmFile({ 'gpt-9': [1.5, 8], 'gpt-8': [100, 4], 'gpt-7': [1, 1], 'azure/': [1, 1] }),
    )
    expect(await json('prices import --source litellm --file', file)).toEqual({
      source: 'litellm',
      dry_run: false,
      added: 1,
      changed: 1,
      unchanged: 1,
      rejected: 1,
      held: 1,
      changes: [{ id: 'openai:gpt-9', fields: ['input_per_mtok'] }],
      rejections: [{ id: 'azure/', reason: expect.any(String) as string }],
    })
  })
})

describe('changes export', () => {
  const cut = () => runLitellm({ 'gpt-9': [1.5, 8], 'gpt-8': [1, 4] }, day(2))

  test('writes a line per change, or one JSON array', async () => {
    expect(await json('changes export')).toEqual([])
    expect((await run('changes export')).stdout).toBe('')
    await runLitellm({ 'gpt-9': [2, 8] }, day(1))
    await cut()
    const lines = (await run('changes export')).stdout.trimEnd().split('\n')
    const changes = lines.map((line) => JSON.parse(line) as { category: string })
    expect(changes.map((change) => change.category).sort()).toEqual(['model_added', 'price_cut'])
    expect(await json('changes export --format jsonl')).toEqual(changes)
    expect(await json('changes export --since 2999-01-01')).toEqual([])
  })

  test('writes a feed whose entries have the addresses of the changes', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://prices.example/')
    expect((await run('changes export --format atom')).stdout).toMatch(/^<\?xml .*<\/author>\n<\/feed>\n$/s)
    await runLitellm({ 'gpt-9': [2, 8] }, day(1))
    await cut()
    const { stdout } = await run('changes export --format atom')
    const [newest] = (await json('changes export')) as { id: string; updated_at: string }[]
    const url = `https://prices.example/changes/${newest?.id}`
    expect(stdout).toContain(`<id>${url}</id>`)
    expect(stdout).toContain(`<link rel="alternate" href="${url}"/>`)
    // The feed and its newest entry were updated at the same time.
    expect(stdout.split(`<updated>${newest?.updated_at}</updated>`)).toHaveLength(3)
    expect(stdout.match(/<entry>/g)).toHaveLength(2)
  })
})

async function runLitellm(prices: Parameters<typeof litellmFile>[0], observedAt: string): Promise<unknown> {
  const file = await fileWith('litellm.json', litellmFile(prices))
  return json('feed run litellm --no-alert --file', file, '--observed-at', observedAt)
}
