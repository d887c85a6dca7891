import { gzipSync } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useDatabase } from './support/postgres.ts'
import { ids, litellmRows, useScene } from './support/snapshot-scene.ts'

// What people compare with the served prices: one price by its id, and a table of their own.

const database = useDatabase()
const { fileWith, folder, json, run } = useScene(database)
const words = (text: string) => text.split('\n').map((line) => line.replaceAll(/ +/g, ' ').trim())

describe('prices show', () => {
  test('shows the card, what is announced, and who says so', async () => {
    const { exitCode, stdout } = await run('prices show', ids.deepseek)
    const lines = words(stdout)
    expect(exitCode).toBe(0)
    expect(lines).toContain('input_per_mtok 0.27 USD own-json litellm: 0.28')
    expect(lines).toContain('chosen by The operator says so: an own price, or a move that was accepted.')
    expect(lines).toContain('confirmed no')
    expect(lines).toContain('meter unit tier above tokens hours (UTC) variant amount said by denied by')
    expect(lines).toContain('input_tokens 1m_tokens – – 16:30-00:30 – 0.135 own-json –')
    expect(lines.some((line) => line.startsWith('2999-01-01 input_per_mtok 0.27 0.54 own-json'))).toBe(true)
    expect(lines).toContain('input_per_mtok 0.28 0.27 *')
    expect(lines).toContain('input_tokens 16:30-00:30 – 0.135 *')
    expect(lines.some((line) => line.startsWith('litellm deepseek/deepseek-chat'))).toBe(true)
    expect(stdout).toContain('Its last moves:')
  })

  test('shows thresholds, tiers, regions and caches', async () => {
    const gemini = words((await run('prices show', ids.gemini)).stdout)
    expect(gemini).toContain('input_tokens 1m_tokens – 200000 – – 2.5 litellm –')
    expect(gemini).toContain('input_tokens 1m_tokens batch – – – 0.625 litellm –')
    expect(gemini).toContain('searches query – – – low 0.035 litellm –')
    expect(gemini.some((line) => line.includes('input_per_mtok 1.25 → 1.2 −4\u00a0%'))).toBe(true)
    const bedrock = words((await run('prices show', ids.bedrock)).stdout)
    expect(bedrock).toContain('region us')
    expect(bedrock).toContain('cache_write_tokens 1m_tokens – – – 1h 6.6 litellm –')
    expect(await json('prices show', ids.bedrock)).toMatchObject({
      ...{ id: ids.bedrock, resource_id: ids.bedrock, rates: [{}, {}], history: [{ source: 'litellm' }] },
    })
  })

  test('names who denies a rate', async () => {
    const key = JSON.stringify(['cache_write_tokens', '1m_tokens', null, '1h', null, null])
    const polls = { [key]: { said_by: ['litellm', 'portkey'], denied_by: { 'models-dev': '6' } } }
    await database.db
      .updateTable('price_standings')
      .set({ rate_evidence: JSON.stringify(polls) })
      .where('resource_id', '=', ids.bedrock)
      .execute()
    expect(words((await run('prices show', ids.bedrock)).stdout)).toContain(
      'cache_write_tokens 1m_tokens – – – 1h 6.6 litellm, portkey models-dev: 6',
    )
  })

  test.each([
    ['the row of a source', 'gemini/gemini-2.5-pro', ids.gemini],
    ['a name', 'Gemini-2.5-Pro', ids.gemini],
    ['a slip', 'deepseek:deepsek-chat', ids.deepseek],
  ])('names what is near: %s', async (_, name, near) => {
    const { exitCode, stdout, stderr } = await run('prices show', name)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr.split('\n')[1]).toBe(near)
  })

  test('and nothing where nothing is', async () => {
    expect((await run('prices show zzz')).stderr).toContain('ratecard prices list shows ids')
  })
})

describe('drift', () => {
  const today = {
    ...litellmRows,
    'deepseek/deepseek-chat': { ...litellmRows['deepseek/deepseek-chat'], input_cost_per_token: 2.7e-7 },
    'gemini/gemini-2.5-pro': { ...litellmRows['gemini/gemini-2.5-pro'], input_cost_per_token: 1.2e-6 },
  }

  test('exits with 1 where an amount or a rate is wrong, and names both', async () => {
    const old = {
      ...today,
      ...{ 'gemini/gemini-2.5-pro': litellmRows['gemini/gemini-2.5-pro'], sample_spec: {} },
      'acme/none': { litellm_provider: 'acme', input_cost_per_token: 1e-6 },
      // The same resource under a second key.
      'gemini-2.5-pro': {
        litellm_provider: 'gemini',
        input_cost_per_token: 1.2e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
      },
    }
    const file = await fileWith('old.json', old)
    const { exitCode, stdout } = await run('drift', file, '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ format: 'litellm', compared: 4 },
      wrong: [
        { row: 'gemini/gemini-2.5-pro', field: 'input_per_mtok', in_file: '1.25', served: '1.2', rate: null },
        { row: 'gemini-2.5-pro', field: 'input_tokens above 200000', in_file: '2', served: '2.5' },
      ],
      unknown: [{ row: 'acme/none', resource_id: 'acme:none' }],
      unread: [{ id: 'sample_spec' }],
    })
    const lines = words((await run('drift', file)).stdout)
    expect(lines).toContain('litellm 4 14 2 1 1')
    expect(lines).toContain(`wrong gemini/gemini-2.5-pro ${ids.gemini} input_per_mtok 1.25 1.2 +4.2\u00a0%`)
    expect(lines).toContain('unknown acme/none acme:none')
  })

  test('exits with 0 where nothing is wrong, in each form', async () => {
    expect(await json('drift', await fileWith('today.json', today))).toMatchObject({ compared: 3, wrong: [] })
    const csv = await fileWith('prices.csv', (await run('prices export --format csv')).stdout)
    expect(await json('drift', csv)).toMatchObject({ format: 'csv', compared: 3, wrong: [], unread: [] })
    const own = await fileWith('own.csv', `resource_id,input_per_mtok\n${ids.gemini},1.203\n`)
    expect(await json('drift', own)).toMatchObject({ compared: 1, wrong: [] })
    const packed = join(folder, 'today.json.gz')
    await writeFile(packed, gzipSync(JSON.stringify(today)))
    expect(await json('drift', packed)).toMatchObject({ format: 'litellm', compared: 3 })
  })

  test('what is in another currency is not compared', async () => {
    const rows = [
      { resource_id: ids.gemini, input_per_mtok: 1, currency: 'EUR' },
      { resource_id: ids.deepseek, input_per_mtok: '0.27' },
    ]
    expect(await json('drift', await fileWith('euro.json', rows))).toMatchObject({
      ...{ compared: 1, wrong: [], unread: [{ reason: 'is in EUR, and USD is served' }] },
    })
  })

  test.each<[string, unknown, RegExp]>([
    ['no table', { hello: 1 }, /neither a list of prices/],
    ['no JSON', '{', /neither CSV nor one JSON/],
    ['no CSV', 'a,b\n1,2\n', /Unknown columns/],
    ['a later snapshot', { format: 'ratecard-snapshot', format_version: 2 }, /not of version 1/],
    ['nothing known', [{ resource_id: 'a:b', input_per_mtok: 1 }], /None of the 1 prices/],
    ['too many values', `[${'[],'.repeat(2_100_000)}[]]`, /more than 2 million values/],
    ['a price that is none', [{ resource_id: ids.gemini, input_per_mtok: -1 }], /negative/],
  ])('exits with 2 where nothing was compared: %s', async (_, content, message) => {
    const { exitCode, stdout, stderr } = await run('drift', await fileWith('bad.json', content))
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  test('or where there is no file, or it is an archive of too much', async () => {
    expect((await run('drift /none.json')).exitCode).toBe(2)
    const bomb = join(folder, 'bomb.gz')
    await writeFile(bomb, gzipSync(Buffer.alloc(70_000_000)))
    const { exitCode, stderr } = await run('drift', bomb)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/larger than 64 MB/)])
  })

  test('prints no control characters of a hostile name', async () => {
    const rows = { ...today, 'acme/\u001b[2J\u202egnp': { litellm_provider: 'acme' } }
    const { stdout } = await run('drift', await fileWith('hostile.json', rows))
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
    expect(stdout).toContain('acme/\ufffd[2J\ufffdgnp')
  })
})
