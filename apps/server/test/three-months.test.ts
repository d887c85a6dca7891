import schema from '@ratecard/contract/snapshot.schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { shippedCatalog } from '../../../packages/cost/src/catalog.ts'
import { costOf, type Catalog, type Cost, type Usage } from '../../../packages/cost/src/index.ts'
import { catalogFromUrl } from '../../../packages/cost/src/live.ts'
import { readAnthropic, readDeepSeek, readGemini, readOpenAI } from '../../../packages/cost/src/readers.ts'
import { useApi } from './support/api.ts'
import { createFeeder } from './support/feed-runs.ts'
import { newestFiles, priceDataDir, priceFile, skipTitle } from './support/price-files.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'

// A log of May to July 2025, by the list that comes with the package and by a server that has just been started. The true
// costs are worked out here, from what the vendors published for the day and the hour.

type Vendor = 'openai' | 'anthropic' | 'google' | 'deepseek'

/** In USD per million tokens. */
interface Published {
  input: number
  cached: number
  output: number
  write?: number
  hour?: number
}

interface Model {
  vendor: Vendor
  name: string
  from: string
  to: string
  at: (day: string, minute: number) => Published
}

const always = (price: Published) => () => price
const inNight = (minute: number) => minute >= 16 * 60 + 30 || minute < 30

const models: readonly Model[] = [
  // OpenAI cut o3 by 80 % on 2025-06-10.
  ...['o3', 'o3-2025-04-16'].map((name) => ({
    ...{ vendor: 'openai' as const, name, from: '2025-05-01', to: '2025-07-31' },
    at: (day: string) =>
      day < '2025-06-10' ? { input: 10, cached: 2.5, output: 40 } : { input: 2, cached: 0.5, output: 8 },
  })),
  {
    vendor: 'openai',
    name: 'gpt-4o-2024-08-06',
    from: '2025-05-01',
    to: '2025-07-31',
    at: always({ input: 2.5, cached: 1.25, output: 10 }),
  },
  {
    vendor: 'openai',
    name: 'gpt-4.1-mini-2025-04-14',
    from: '2025-05-01',
    to: '2025-07-31',
    at: always({ input: 0.4, cached: 0.1, output: 1.6 }),
  },
  {
    vendor: 'anthropic',
    name: 'claude-sonnet-4-20250514',
    from: '2025-05-22',
    to: '2025-07-31',
    at: always({ input: 3, cached: 0.3, output: 15, write: 3.75, hour: 6 }),
  },
  {
    vendor: 'anthropic',
    name: 'claude-3-5-haiku-20241022',
    from: '2025-05-01',
    to: '2025-07-31',
    at: always({ input: 0.8, cached: 0.08, output: 4, write: 1, hour: 1.6 }),
  },
  // Google's preview cost half of what the model costs since it is generally available, and four times less for its answer.
  {
    vendor: 'google',
    name: 'gemini-2.5-flash-preview-05-20',
    from: '2025-05-20',
    to: '2025-06-16',
    at: always({ input: 0.15, cached: 0.0375, output: 0.6 }),
  },
  {
    vendor: 'google',
    name: 'gemini-2.5-flash',
    from: '2025-06-17',
    to: '2025-07-31',
    at: always({ input: 0.3, cached: 0.075, output: 2.5 }),
  },
  // DeepSeek's night, 16:30 to 00:30 UTC, halved the prices of one model, and quartered those of the other.
  {
    ...{ vendor: 'deepseek', name: 'deepseek-chat', from: '2025-05-01', to: '2025-07-31' },
    at: (_day, minute) =>
      inNight(minute)
        ? { input: 0.135, cached: 0.035, output: 0.55 }
        : { input: 0.27, cached: 0.07, output: 1.1 },
  },
  {
    ...{ vendor: 'deepseek', name: 'deepseek-reasoner', from: '2025-05-01', to: '2025-07-31' },
    at: (_day, minute) =>
      inNight(minute)
        ? { input: 0.135, cached: 0.035, output: 0.55 }
        : { input: 0.55, cached: 0.14, output: 2.19 },
  },
]

interface Logged {
  vendor: Vendor
  name: string
  at: string
  usage: Usage
  truth: number
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const readers = {
  openai: (model: string, { input, cached, output }: Counted) =>
    readOpenAI({
      model,
      usage: {
        ...{
          prompt_tokens: input + cached,
          completion_tokens: output,
          total_tokens: input + cached + output,
        },
        prompt_tokens_details: { cached_tokens: cached },
      },
    }),
  anthropic: (model: string, { input, cached, output, write, hour }: Counted) =>
    readAnthropic({
      model,
      usage: {
        ...{ input_tokens: input, cache_read_input_tokens: cached, output_tokens: output },
        cache_creation_input_tokens: write + hour,
        cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: hour },
      },
    }),
  google: (modelVersion: string, { input, cached, output }: Counted) =>
    readGemini({
      modelVersion,
      usageMetadata: {
        ...{ promptTokenCount: input + cached, cachedContentTokenCount: cached },
        ...{ candidatesTokenCount: output, totalTokenCount: input + cached + output },
      },
    }),
  deepseek: (model: string, { input, cached, output }: Counted) =>
    readDeepSeek({
      model,
      usage: {
        ...{
          prompt_tokens: input + cached,
          completion_tokens: output,
          total_tokens: input + cached + output,
        },
        ...{ prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: input },
      },
    }),
}

interface Counted {
  input: number
  cached: number
  output: number
  write: number
  hour: number
}

/** Some calls of each model on each day, at all hours. */
function makeLog(): Logged[] {
  const random = randomOf(25)
  const upTo = (most: number) => Math.floor(random() * most)
  const log: Logged[] = []
  for (const { vendor, name, from, to, at } of models)
    for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000)
      for (let call = 0; call < 4; call += 1) {
        const [day, minute] = [new Date(ms).toISOString().slice(0, 10), upTo(1_440)]
        const isClaude = vendor === 'anthropic'
        const counted = {
          ...{ input: 1 + upTo(4_000), cached: random() < 0.5 ? upTo(8_000) : 0, output: 1 + upTo(1_500) },
          ...{
            write: isClaude && random() < 0.4 ? upTo(3_000) : 0,
            hour: isClaude && random() < 0.2 ? upTo(900) : 0,
          },
        }
        const price = at(day, minute)
        const kinds = ['input', 'cached', 'output', 'write', 'hour'] as const
        const truth = kinds.reduce((sum, kind) => sum + (counted[kind] * (price[kind] ?? 0)) / 1e6, 0)
        const instant = new Date(ms + minute * 60_000).toISOString()
        log.push({ vendor, name, at: instant, usage: readers[vendor](name, counted), truth })
      }
  return log
}

const log = makeLog()
const isRight = ({ total }: Cost, truth: number) =>
  total !== null && Math.abs(Number(total) - truth) <= truth * 1e-9

/** How many calls of each model have the true cost, a doubted one, none; and each that is wrong and says nothing. */
function judge(catalog: Catalog) {
  const verdicts: Record<string, Record<string, number>> = {}
  const undoubted: string[] = []
  for (const { vendor, name, at, usage, truth } of log) {
    const cost = costOf(usage, { catalog, platform: vendor, at })
    const isAssumed = cost.doubts.includes('price_assumed') ? 'assumed' : 'known'
    const verdict =
      cost.total === null
        ? cost.unpriced[0]!.reason
        : `${isRight(cost, truth) ? 'right' : 'wrong'}, ${isAssumed}`
    if (cost.total !== null && !isRight(cost, truth) && cost.doubts.length === 0)
      undoubted.push(`${name} ${at}: ${cost.total} for ${truth}`)
    const sum = (verdicts[name] ??= {})
    sum[verdict] = (sum[verdict] ?? 0) + 1
  }
  return { verdicts, undoubted }
}

const all = (name: string) => log.filter((call) => call.name === name).length

test('by the list that comes with the package: none is wrong without a doubt, and what is dated has none', () => {
  const { verdicts, undoubted } = judge(shippedCatalog())
  console.log(`${log.length} calls by the shipped list:`, verdicts)
  expect(undoubted).toEqual([])
  for (const name of [
    'o3',
    'o3-2025-04-16',
    'gemini-2.5-flash-preview-05-20',
    'deepseek-chat',
    'deepseek-reasoner',
  ])
    expect(verdicts[name]).toEqual({ 'right, known': all(name) })
  for (const { vendor, name } of models)
    if ((vendor === 'openai' && name.startsWith('gpt')) || vendor === 'anthropic')
      expect(verdicts[name]).toEqual({ 'right, assumed': all(name) })
  // Reads from Gemini's cache have become cheaper since, and nobody says when.
  expect(Object.keys(verdicts['gemini-2.5-flash']!).sort()).toEqual(['right, assumed', 'wrong, assumed'])
})

describe('by a server that has been started a minute before', () => {
  const database = useDatabase()
  const feed = createFeeder(() => database.db)
  const api = useApi(database)
  const started = new Date(Date.now() - 60_000).toISOString()
  const serve = async () => {
    await makeKeptFiles(database.db)
    return catalogFromUrl(`${api.url}/snapshot.json`, { refreshMs: 0 })
  }

  test('with the list that comes with it: what the list dates is priced as it was, by the dated names as well', async () => {
    await feed(started, '', { source: 'genai-prices', input: {} })
    const { verdicts, undoubted } = judge(await serve())
    console.log(`${log.length} calls by a fresh server:`, verdicts)
    expect(undoubted).toEqual([])
    for (const name of ['o3', 'o3-2025-04-16', 'gemini-2.5-flash-preview-05-20'])
      expect(verdicts[name]).toEqual({ 'right, known': all(name) })
    for (const name of [
      'gpt-4o-2024-08-06',
      'gpt-4.1-mini-2025-04-14',
      'claude-sonnet-4-20250514',
      'claude-3-5-haiku-20241022',
      'deepseek-chat',
      'deepseek-reasoner',
    ])
      expect(verdicts[name]).toEqual({ 'right, assumed': all(name) })
  })

  test('the prices of before stand in the snapshot, by its schema', async () => {
    const answer = await api.request('/snapshot.json')
    const document = (await serve()).get('openai:o3')
    expect(answer.status).toBe(200)
    expect(document?.past).toMatchObject([
      { ended_on: '2025-06-10', input_per_mtok: '10', cached_input_per_mtok: '2.5', output_per_mtok: '40' },
    ])
    const ajv = new Ajv2020({ allErrors: true })
    ;(addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv)
    ajv.addSchema(schema, 'snapshot')
    ajv.validate('snapshot#/$defs/resource', document)
    expect(ajv.errors).toBeNull()
  })

  test.skipIf(priceDataDir === undefined)(
    skipTitle('with two more lists: none is wrong without a doubt'),
    async () => {
      for (const { source, path } of newestFiles)
        if (source === 'litellm' || source === 'models.dev') await feed(started, priceFile(path), { source })
      const { verdicts, undoubted } = judge(await serve())
      console.log(`${log.length} calls by a fresh server with three lists:`, verdicts)
      expect(undoubted).toEqual([])
      expect(verdicts['o3']).toEqual({ 'right, known': all('o3') })
      for (const name of ['gpt-4o-2024-08-06', 'gpt-4.1-mini-2025-04-14', 'claude-sonnet-4-20250514'])
        expect(verdicts[name]).toEqual({ 'right, assumed': all(name) })
    },
  )
})
