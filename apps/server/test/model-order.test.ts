import { beforeAll, describe, expect, test } from 'vitest'
import { buildCatalogue, type CatalogueRow } from '../src/catalog/catalogue.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { createFeeder } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'
import { newestFiles, priceDataDir, priceInput, skipTitle } from './support/price-files.ts'

// Which models a list begins with.

const row = (resource_id: string, product: string, values: Partial<CatalogueRow> = {}): CatalogueRow => ({
  ...priceRecord({
    ...{ resource_id, product_id: product, vendor: product.split('/')[0]! },
    platform: resource_id.split(':')[0]!,
  }),
  ...{ updated_at: '2026-01-01T00:00:00.000000Z', since: '2026-01-01T00:00:00.000000Z' },
  ...{ since_by: 'first_seen', is_confirmed: true, gone_since: null, retires_on: null, rates: 0 },
  starts_on: null,
  ...values,
})
const released = (resource_id: string, released_on: string) => ({
  source: 'test',
  resource_id,
  facts: { released_on },
})

test('the flagships of all makers come before the further models of one, what has retired last', async () => {
  const hosts = ['host', 'mart', 'shop', 'stall']
  const rows = [
    ...['acme', ...hosts].map((platform) => row(`${platform}:old`, 'acme/old')),
    ...['acme', ...hosts.slice(2)].map((platform) => row(`${platform}:new`, 'acme/new')),
    ...['acme', 'host'].map((platform) => row(`${platform}:small`, 'acme/small')),
    row('acme:alone', 'acme/alone', { is_confirmed: false }),
    row('acme:ended', 'acme/ended', { retires_on: '2026-01-01' }),
    row('acme:gone', 'acme/gone', { gone_since: '2026-01-01T00:00:00Z' }),
    ...['zeta', ...hosts].map((platform) => row(`${platform}:only`, 'zeta/only')),
    row('acme:zz', 'acme/zz', { input_per_mtok: null, output_per_mtok: null }),
  ]
  const facts = [
    ...[released('acme:old', '2024-05-01'), released('acme:new', '2026-04-01')],
    ...[released('acme:small', '2026-03-01'), released('acme:alone', '2026-04-01')],
    ...[released('acme:ended', '2026-04-01'), released('zeta:only', '2026-02')],
  ]
  const { models } = await buildCatalogue('1', rows, { facts, today: '2026-06-01' })
  expect(models.map(({ id }) => id)).toEqual([
    ...['acme/new', 'zeta/only', 'acme/small', 'acme/alone', 'acme/old', 'acme/gone', 'acme/zz'],
    'acme/ended',
  ])
})

describe.skipIf(priceDataDir === undefined)(skipTitle('with six real lists'), () => {
  const database = useDatabase()
  const feed = createFeeder(() => database.db)
  const api = useApi(database)
  beforeAll(async () => {
    for (const { source, path, at } of newestFiles)
      await feed(at, '', { source, input: priceInput(path), acceptAll: true })
  }, 300_000)

  const namesOn = async (path: string) => {
    const page = (await api.request(path)).body as string
    const table = page.slice(page.indexOf('<tbody'), page.indexOf('</tbody'))
    return [...table.matchAll(/title="([\w-]+\/[^"]+)"/g)].map(([, id]) => id!)
  }

  test('the first twelve rows are what a buyer expects, and the home page has one of each maker', async () => {
    expect((await namesOn('/models')).slice(0, 12)).toEqual([
      ...['openai/gpt-5.5', 'anthropic/claude-opus-4-7', 'alibaba/qwen3.7-max', 'google/gemini-3.5-flash'],
      ...[
        'mistral/mistral-small',
        'meta/llama-4-maverick-17b-128e-instruct',
        'openai/gpt-5.4',
        'zai/glm-5.2',
      ],
      ...['deepseek/deepseek-v4-pro', 'xai/grok-4.3', 'moonshot/kimi-k2.6', 'anthropic/claude-opus-4-8'],
    ])
    expect(await namesOn('/')).toEqual([
      ...['openai/gpt-5.5', 'anthropic/claude-opus-4-7', 'alibaba/qwen3.7-max', 'google/gemini-3.5-flash'],
      ...['mistral/mistral-small', 'meta/llama-4-maverick-17b-128e-instruct', 'zai/glm-5.2'],
      ...['deepseek/deepseek-v4-pro', 'xai/grok-4.3', 'moonshot/kimi-k2.6'],
    ])
  })

  test.each([
    ...['meta/llama-3.3-70b-instruct', 'openai/gpt-oss-120b', 'anthropic/claude-sonnet-4-5'],
    ...['minimax/minimax-m2.5', 'openai/gpt-5.6-sol'],
  ])('the page of %s, one of the largest, has less than 150 KB', async (id) => {
    const page = (await api.request(`/models/${id}`)).body as string
    expect(page.length).toBeLessThan(150_000)
  })
})
