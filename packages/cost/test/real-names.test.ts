import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shippedCatalog } from '../src/catalog.ts'
import { costOf, resolve, type CatalogRecord } from '../src/index.ts'
import { isSamePrice } from '../src/name-index.ts'
import { findPlatform } from '../src/names.ts'
import { readUsage } from '../src/readers.ts'
import { fixtures } from './fixtures/answers.ts'
import { catalogOf, record } from './support.ts'

const catalog = shippedCatalog()

interface Tally {
  exact: number
  spelled: number
  ambiguous: number
  refused: number
  wrong: string[]
}

/** Rules that take a name as it is published; the others take an ornament off. */
const exactly = ['resource_id', 'platform_id', 'alias']

/** Names by platform, and which share of them is found. A name may lead to another day of its model where that costs the same. */
function tallyOf(names: Iterable<{ name: string; platform: string; price?: string }>, from = catalog): Tally {
  const tally: Tally = { exact: 0, spelled: 0, ambiguous: 0, refused: 0, wrong: [] }
  for (const { name, platform, price } of names) {
    const found = resolve(name, { catalog: from, platform })
    if (!found.isResolved) tally[found.reason === 'ambiguous' ? 'ambiguous' : 'refused'] += 1
    else {
      if (exactly.includes(found.rule)) tally.exact += 1
      else tally.spelled += 1
      if (price !== undefined && found.record.input_per_mtok !== price)
        tally.wrong.push(`${platform} ${name}: ${found.record.resource_id} by ${found.rule}`)
    }
  }
  return tally
}

test('every id of the shipped catalog leads to its record, or to one that costs the same', () => {
  const wrong = catalog.records().flatMap((record) => {
    const { platform } = record
    const id = record.resource_id.slice(record.resource_id.indexOf(':') + 1)
    const found = resolve(id, {
      catalog,
      platform: platform ?? undefined,
      region: record.region ?? undefined,
    })
    const isRight = !found.isResolved || found.record === record || isSamePrice(found.record, record)
    return isRight ? [] : [`${record.resource_id} led to ${found.record.resource_id}`]
  })
  expect(wrong).toEqual([])
})

test('names in recorded answers are found, or refused with candidates', () => {
  const platforms: Record<string, string> = {
    openai: 'openai',
    anthropic: 'anthropic',
    gemini: 'google',
    mistral: 'mistral',
  }
  const names = fixtures.flatMap(({ reader, answer }) => {
    const { model, platform = platforms[reader] } = readUsage(answer, reader)
    return model === undefined || platform === undefined ? [] : [{ name: model, platform }]
  })
  const { exact, spelled, ambiguous, refused } = tallyOf(names)
  expect(names.length).toBeGreaterThan(12)
  expect({
    found: (exact + spelled) / names.length >= 0.8,
    ambiguous,
    all: exact + spelled + refused,
  }).toEqual({
    found: true,
    ambiguous: 0,
    all: names.length,
  })
})

const folder = process.env['PRICE_DATA_DIR'] ?? ''
const map = join(folder, 'litellm/model_prices_2026-08-01.json')

test.skipIf(folder === '' || !existsSync(map))(
  "names of LiteLLM's real map are found exactly or refused (skipped without PRICE_DATA_DIR)",
  ({ annotate }) => {
    const rows = JSON.parse(readFileSync(map, 'utf8')) as Record<
      string,
      { litellm_provider?: string; mode?: string }
    >
    const makers = [
      'openai',
      'anthropic',
      'gemini',
      'mistral',
      'deepseek',
      'xai',
      'azure',
      'bedrock',
      'vertex_ai',
      'groq',
    ]
    const names = Object.entries(rows).flatMap(([name, { litellm_provider: platform = '', mode }]) =>
      makers.includes(platform) && mode === 'chat' ? [{ name, platform }] : [],
    )
    const { exact, spelled, ambiguous, refused } = tallyOf(names)
    const share = (count: number) => `${((100 * count) / names.length).toFixed(1)} %`
    void annotate(
      `${names.length} names: exact ${share(exact)}, by spelling ${share(spelled)}, ambiguous ${share(ambiguous)}, refused ${share(refused)}`,
    )
    expect(names.length).toBeGreaterThan(400)
    expect(exact + spelled).toBeGreaterThan(names.length / 4)
    // A name with its prefix leads to what it leads to without it.
    const apart = names.filter(({ name, platform }) => {
      const [plain, prefixed] = [
        resolve(name, { catalog, platform }),
        resolve(`${platform}/${name}`, { catalog, platform }),
      ]
      return plain.isResolved && prefixed.isResolved && plain.record !== prefixed.record
    })
    expect(apart).toEqual([])
  },
)

interface LitellmRow {
  litellm_provider?: string
  input_cost_per_token?: number
}

/** The map as a catalog of its own: of two keys that one platform spells alike, the first has the record. */
function recordsOf(rows: Readonly<Record<string, LitellmRow>>): CatalogRecord[] {
  const records = new Map<string, CatalogRecord>()
  for (const [key, { litellm_provider: provider = '', input_cost_per_token: price }] of Object.entries(
    rows,
  )) {
    if (price === undefined || provider === '') continue
    const id = key.startsWith(`${provider}/`) ? key.slice(provider.length + 1) : key
    const platform = findPlatform(provider)
    const resource_id = `${platform}:${id}`
    if (records.has(resource_id)) continue
    const aliases = [{ key, resource_id, model_name: id }]
    records.set(resource_id, record({ resource_id, platform, input_per_mtok: String(price), aliases }))
  }
  return [...records.values()]
}

test.skipIf(folder === '' || !existsSync(map))(
  "no name of LiteLLM's real map leads to another row's price (skipped without PRICE_DATA_DIR)",
  ({ annotate }) => {
    const rows = JSON.parse(readFileSync(map, 'utf8')) as Record<string, LitellmRow>
    const names = Object.entries(rows).flatMap(([name, { litellm_provider, input_cost_per_token }]) =>
      input_cost_per_token === undefined || litellm_provider === undefined
        ? []
        : [{ name, platform: litellm_provider, price: String(input_cost_per_token) }],
    )
    // The map has two prices for this one id of one provider, with a prefix and without: no name tells them apart.
    const told = names.filter(({ name }) => name !== 'gemini-exp-1206')
    const { exact, spelled, ambiguous, refused, wrong } = tallyOf(told, catalogOf(...recordsOf(rows)))
    void annotate(
      `${told.length} names: exact ${exact}, by spelling ${spelled}, ambiguous ${ambiguous}, refused ${refused}`,
    )
    expect(wrong).toEqual([])
    expect((exact + spelled) / told.length).toBeGreaterThan(0.95)
  },
)

/** The sellers whose own names these are. */
const firstParty =
  /^(?:vertex_ai-language-models|vertex_ai-anthropic_models|azure|bedrock|bedrock_converse|anthropic|gemini|mistral|openai|xai|groq|cohere_chat|perplexity|deepseek)$/

/** What sets models of a family apart: a name that has one of these never means a record that has not. */
function findKinds(name: string): string {
  const kinds =
    name.match(
      /mini|nano|micro|lite|flash|pro(?![a-z])|max(?![a-z])|opus|sonnet|haiku|audio|tts|research|coder|vl(?![a-z])|safeguard|sonic|small|medium|large|\d+b(?![a-z])/g,
    ) ?? []
  return [...new Set(kinds)].sort().join()
}

test.skipIf(folder === '' || !existsSync(map))(
  "first-party names of LiteLLM's real map are priced as it prices them (skipped without PRICE_DATA_DIR)",
  ({ annotate }) => {
    interface Row extends LitellmRow {
      mode?: string
      output_cost_per_token?: number
    }
    const rows = Object.entries(JSON.parse(readFileSync(map, 'utf8')) as Record<string, Row>).filter(
      ([, { litellm_provider = '', mode = '', input_cost_per_token = 0, output_cost_per_token = 0 }]) =>
        firstParty.test(litellm_provider) &&
        ['chat', 'responses', 'completion'].includes(mode) &&
        input_cost_per_token > 0 &&
        output_cost_per_token > 0,
    )
    let [found, priced, equal] = [0, 0, 0]
    const others: string[] = []
    for (const [model, { litellm_provider = '', ...row }] of rows) {
      const platform = litellm_provider.replace(/^(vertex_ai)-.*/, '$1')
      const counts = { input_tokens: 1_000, output_tokens: 1_000 }
      const cost = costOf({ counts, at: '2026-08-01T20:00:00Z' }, { catalog, model, platform })
      if (cost.resourceId === null) continue
      found += 1
      if (findKinds(model) !== findKinds(cost.resourceId)) others.push(`${model}: ${cost.resourceId}`)
      const rates = ['input_tokens', 'output_tokens'].map(
        (meter) => cost.lines.find((line) => line.meter === meter)?.rate,
      )
      if (rates.includes(undefined)) continue
      priced += 1
      const stated = [row.input_cost_per_token!, row.output_cost_per_token!]
      const isEqual = stated.every(
        (amount, at) => Math.abs(Number(rates[at]) / 1e6 - amount) <= 0.005 * amount,
      )
      equal += isEqual ? 1 : 0
    }
    void annotate(
      `${rows.length} names: ${found} found, ${priced} priced, ${equal} equal to the map (${((100 * equal) / priced).toFixed(1)} %)`,
    )
    expect(rows).toHaveLength(864)
    // The list itself states these by name.
    expect(others).toEqual([
      'azure/gpt-5.1-codex-max: azure:gpt-5.1',
      'gpt-5.1-codex-max: openai:gpt-5.1',
      'mistral/devstral-medium-latest: mistral:devstral-2512',
      'gemini-2.5-flash-native-audio-latest: google:gemini-live-2.5-flash',
      'gemini/gemini-2.5-flash-native-audio-latest: google:gemini-live-2.5-flash',
    ])
    expect(found).toBeGreaterThanOrEqual(730)
    expect(equal / priced).toBeGreaterThanOrEqual(0.9)
  },
)
