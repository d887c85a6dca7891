import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import schema from '@ratecard/contract/snapshot.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { SnapshotHeader, SnapshotResource } from '../src/snapshot/record.ts'
import { readLitellm } from '../src/ingest/sources/lists/litellm.ts'
import { createFeeder } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { days, ids, litellmRows, useScene } from './support/snapshot-scene.ts'

// The snapshot in its forms, by the command.

// A command that streams leaves a listener behind: in use it ends with its process.
process.stdout.setMaxListeners(50)

const database = useDatabase()
const { fileWith, folder, json, run } = useScene(database)

const ajv = new Ajv2020({ allErrors: true })
;(addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema(schema, 'snapshot')
const complaintsOf = (pointer: string, value: unknown) => {
  ajv.validate(`snapshot${pointer}`, value)
  return ajv.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`) ?? []
}

type Snapshot = SnapshotHeader & { resources: SnapshotResource[] }
// No test changes it.
let written: Promise<unknown> | undefined
const snapshot = async () => (await (written ??= json('prices export'))) as Snapshot
const byId = ({ resources }: Snapshot) => new Map(resources.map((one) => [one.resource_id, one]))

describe('json', () => {
  test('is as its schema says, and has all that is stored of the three', async () => {
    const document = await snapshot()
    expect(complaintsOf('', document)).toEqual([])
    expect(complaintsOf('', { ...document, more: 1 })).not.toEqual([])
    expect(document).toMatchObject({
      ...{ format: 'ratecard-snapshot', format_version: 1, as_of: null, resource_count: 3, not_kept: [] },
      sources: [
        { source: 'litellm', licence: 'MIT', observed_at: days[1], data_at: null },
        { source: 'own-json', url: null, licence: null },
      ],
    })
    const found = byId(document)
    expect([...found.keys()]).toEqual(Object.values(ids).sort())
    expect(found.get(ids.deepseek)).toMatchObject({
      ...{ input_per_mtok: '0.27', cached_input_per_mtok: null, effective_at: '2026-02-01' },
      rule: 'operator',
      rates: [
        {
          meter: 'input_tokens',
          amount: '0.135',
          hours: '16:30-00:30',
          said_by: ['own-json'],
          denied_by: {},
        },
        { meter: 'output_tokens', amount: '0.55', hours: '16:30-00:30' },
      ],
      announced: [{ source: 'own-json', starts_on: '2999-01-01', input_per_mtok: '0.54' }],
      aliases: [
        { source: 'litellm', key: 'deepseek/deepseek-chat' },
        { source: 'own-json', key: ids.deepseek },
      ],
      claims: [
        { source: 'litellm', input_per_mtok: '0.28', first_seen: days[0] },
        { source: 'own-json', input_per_mtok: '0.27' },
      ],
      evidence: { input_per_mtok: { said_by: ['own-json'], denied_by: { litellm: '0.28' } } },
    })
    expect(found.get(ids.gemini)).toMatchObject({
      ...{ input_per_mtok: '1.2', source_url: 'https://prices.example/gemini', retires_on: '2999-06-17' },
      rule: 'alone',
      claims: [{ since: { input_per_mtok: days[1], output_per_mtok: days[0] } }],
    })
    expect(found.get(ids.gemini)?.rates).toHaveLength(4)
    expect(found.get(ids.bedrock)).toMatchObject({
      region: 'us',
      rates: [
        { meter: 'cache_write_tokens', amount: '6.6', variant: '1h' },
        { meter: 'cache_write_tokens', amount: '4.125', variant: null },
      ],
    })
  })

  test('is read back as it was written: nothing in it is wrong', async () => {
    const file = await fileWith('snapshot.json', await snapshot())
    expect(await json('drift', file)).toMatchObject({
      ...{ format: 'json', compared: 3, amounts: 14, wrong: [], unknown: [], unread: [] },
    })
  })
})

test('jsonl is the same, a line each', async () => {
  const { stdout } = await run('prices export --format jsonl')
  const [header, ...lines] = stdout.trimEnd().split('\n')
  const document = await snapshot()
  const { generated_at, resources, ...rest } = document
  expect(JSON.parse(header!)).toMatchObject(rest)
  expect(generated_at).toBeTruthy()
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(resources)
  expect(complaintsOf('#/$defs/header', JSON.parse(header!))).toEqual([])
})

test('csv is a row each', async () => {
  const { stdout } = await run('prices export --format csv')
  const rows = parse<Record<string, string>>(stdout, { columns: true })
  expect(rows.map(({ resource_id }) => resource_id)).toEqual(Object.values(ids).sort())
  const { resources } = await snapshot()
  expect(rows.map(({ rates }) => JSON.parse(rates!) as unknown)).toEqual(resources.map(({ rates }) => rates))
  expect(rows.map(({ rule }) => rule)).toEqual(['alone', 'operator', 'alone'])
  expect(rows[2]).toMatchObject({ input_per_mtok: '1.2', cached_input_per_mtok: '', sources: 'litellm' })
})

test('sqlite has a table of each kind', async () => {
  const path = join(folder, 'prices.sqlite')
  expect(await json('prices export --format sqlite --out', path)).toMatchObject({
    file: path,
    format: 'sqlite',
  })
  const { resources, sources } = await snapshot()
  using file = new DatabaseSync(path, { readOnly: true })
  const all = (query: string) => file.prepare(query).all()
  const count = (of: (resource: SnapshotResource) => readonly unknown[] | null) =>
    resources.reduce((sum, resource) => sum + (of(resource)?.length ?? 0), 0)
  for (const [table, rows] of [
    ['resources', resources.length],
    ['rates', count(({ rates }) => rates)],
    ['claims', count(({ claims }) => claims)],
    ['announced', count(({ announced }) => announced)],
    ['past', count(({ past = [] }) => past)],
    ['aliases', count(({ aliases }) => aliases)],
    ['sources', sources.length],
  ] as const)
    expect([table, all(`select count(*) as rows from ${table}`)]).toMatchObject([table, [{ rows }]])
  expect(
    all(
      `select amount, said_by, denied_by from rates where resource_id = '${ids.bedrock}' and variant = '1h'`,
    ),
  ).toMatchObject([{ amount: '6.6', said_by: '["litellm"]', denied_by: '{}' }])
  expect(all(`select rule from resources where resource_id = '${ids.deepseek}'`)).toMatchObject([
    { rule: 'operator' },
  ])
  expect(all("select value from meta where key = 'format_version'")).toMatchObject([{ value: '1' }])
})

describe('litellm', () => {
  test('is read by the importer as what is served, and what it cannot hold is counted', async () => {
    const { exitCode, stdout, stderr } = await run('prices export --format litellm')
    const said = stderr.split('\n').filter((line) => line.includes('does not hold'))
    expect([exitCode, said.sort()]).toEqual([
      0,
      [
        "LiteLLM's format does not hold 1 announced prices.",
        "LiteLLM's format does not hold 2 rates by the hour of the day.",
      ],
    ])
    const map = JSON.parse(stdout) as Record<string, Record<string, unknown>>
    expect(Object.keys(map).sort()).toEqual(Object.keys(litellmRows).sort())
    expect(map['gemini/gemini-2.5-pro']).toEqual({
      ...litellmRows['gemini/gemini-2.5-pro'],
      input_cost_per_token: 1.2e-6,
    })
    const found = byId(await snapshot())
    for (const { resource_id, rates, ...record } of readLitellm(map).records) {
      const served = found.get(resource_id)!
      const { input_per_mtok, output_per_mtok, cached_input_per_mtok } = served
      expect(record).toMatchObject({ input_per_mtok, output_per_mtok, cached_input_per_mtok })
      const stated = served.rates?.map(({ said_by: _, denied_by: __, ...rate }) => rate)
      expect(rates).toEqual(stated?.filter(({ hours }) => hours === null))
    }
  })

  test('loads as a source', async () => {
    const file = join(folder, 'map.json')
    await run('prices export --format litellm --out', file)
    expect(await json('feed run litellm --dry-run --file', file)).toMatchObject({
      ...{ outcome: 'applied', rows: 3, added: [], unchanged: 3, rejected: [], held: [] },
    })
  })
})

describe('--as-of', () => {
  test('shows what was served and said then, and names what is not kept', async () => {
    const document = (await json('prices export --as-of', days[0])) as Snapshot
    expect(complaintsOf('', document)).toEqual([])
    expect(document).toMatchObject({
      ...{ as_of: days[0], resource_count: 3 },
      not_kept: ['is_confirmed', 'rule', 'gone_since', 'retires_on', 'rates', 'announced', 'evidence'],
    })
    expect(byId(document).get(ids.gemini)).toMatchObject({
      ...{
        input_per_mtok: '1.25',
        rule: null,
        rates: null,
        announced: null,
        evidence: null,
        updated_at: days[0],
      },
      claims: [{ source: 'litellm', input_per_mtok: '1.25', since: null, first_seen: days[0] }],
    })
    expect(await json('prices export --as-of 2026-02-01')).toMatchObject({ resource_count: 0, resources: [] })
    const { stderr } = await run('prices export --format csv --as-of', days[0])
    expect(stderr).toContain('Not kept in history, so null: is_confirmed')
  })

  test('is of no time to come', async () => {
    const { exitCode, stdout, stderr } = await run('prices export --as-of 2999-01-01')
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('is to come')
  })
})

describe('--out', () => {
  test('has the file as a whole or not at all', async () => {
    const file = join(folder, 'whole.json')
    expect((await run('prices export --out', file)).stderr).toBe(`3 resources are in ${file}.\n`)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ resource_count: 3 })
    await mkdir(join(folder, 'taken'))
    for (const [out, reason] of [
      ['none/x.json', /its folder does not exist/],
      ['taken', /it is a folder/],
    ] as const) {
      for (const format of ['json', 'sqlite']) {
        const { exitCode, stderr } = await run(`prices export --format ${format} --out`, join(folder, out))
        expect(exitCode).toBe(1)
        expect(stderr).toMatch(reason)
      }
    }
    expect(existsSync(join(folder, 'none'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test.each([
    ['--format sqlite', /--out FILE/],
    ['--format csv --json', /csv is not/],
    ['--format xml', /json, jsonl, csv, sqlite, litellm/],
  ])('is needed, or the format is wrong: %s', async (options, message) => {
    const { exitCode, stdout, stderr } = await run(`prices export ${options}`)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})

// The last one: it moves what the others read.
test('the day on which a source that states the price looked at the vendor is in it', async () => {
  const feed = createFeeder(() => database.db)
  const prices = { input_mtok: 1.2, output_mtok: 10 }
  const models = [
    { id: 'gemini-2.5-pro', match: { equals: 'gemini-2.5-pro' }, prices, prices_checked: '2026-02-27' },
    {
      id: 'gemini-2.5-flash',
      match: { equals: 'gemini-2.5-flash' },
      prices: { input_mtok: 0.3, output_mtok: 2.5 },
    },
  ]
  await feed(days[1], JSON.stringify([{ id: 'google', models }]), { source: 'genai-prices' })
  const file = join(folder, 'checked.json')
  await run('prices export --out', file)
  const document = JSON.parse(await readFile(file, 'utf8')) as Snapshot
  expect(complaintsOf('', document)).toEqual([])
  const { checked_on, claims } = byId(document).get(ids.gemini)!
  expect({ checked_on, claims }).toMatchObject({
    checked_on: '2026-02-27',
    claims: [
      { source: 'genai-prices', checked_on: '2026-02-27' },
      { source: 'litellm', checked_on: null },
    ],
  })
  expect(byId(document).get(ids.deepseek)!.checked_on).toBeNull()
})
