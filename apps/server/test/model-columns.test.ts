import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useApi } from './support/api.ts'
import { createFeeder } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// What the sources state of models beside prices, and the columns of the list.

const database = useDatabase()
const api = useApi(database)

const readModelsDev = (observedAt: string) => {
  const models = {
    'gpt-9': {
      ...{ cost: { input: 2, output: 8 }, limit: { context: 400_000, output: 128_000 } },
      ...{ release_date: '2026-03-05', knowledge: '2025-08-31', tool_call: true, reasoning: true },
      modalities: { input: ['text', 'image'], output: ['text'] },
    },
    'gpt-9-small': { cost: { input: 1, output: 4 }, limit: { context: 32_000, output: 0 } },
    'gpt-9-mute': {},
  }
  return createFeeder(() => database.db, { source: 'models.dev' })(
    observedAt,
    JSON.stringify({ openai: { models } }),
  )
}

beforeAll(async () => {
  await readModelsDev('2026-03-06T00:00:00Z')
  const row = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 2e-6 }
  await createFeeder(() => database.db, { source: 'litellm' })(
    '2026-03-06T00:00:00Z',
    JSON.stringify({
      'gpt-9': { ...row, output_cost_per_token: 8e-6, max_output_tokens: 64_000, supports_vision: true },
    }),
  )
})

const read = async (path: string) => (await api.request(path)).body as string
const words = (html: string) => html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')
const order = async (query: string) =>
  [...(await read(`/models?${query}`)).matchAll(/title="openai\/([\w-]+)"/g)].map(([, id]) => id)
const heads = async (query: string) =>
  [...(await read(`/models?${query}`)).matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, head]) =>
    words(head!).trim(),
  )

test('columns are shown and hidden by the address, which the links keep', async () => {
  const usual = ['Model', 'Maker', 'Input', 'Output', 'Cached input', 'Blended', 'Context', 'Platforms']
  expect(await heads('')).toEqual(usual)
  const shown = ['Model', 'Input', 'Output', 'Blended', 'Context', 'Output limit', 'Released', 'Platforms']
  expect(await heads('show=limit&show=released&hide=maker,cached')).toEqual(shown)
  expect(await heads('show=input,nonsense,__proto__&hide=model,limit')).toEqual(usual)
  expect(await read('/models?show=limit,released&hide=maker')).toContain(
    'href="/models?show=limit%2Creleased&#38;hide=maker&#38;sort=input"',
  )
})

test('each fact is shown with who states it; what nobody states is unknown', async () => {
  const list = words(await read('/models?show=limit,released,cutoff,abilities&sort=-input'))
  expect(list).toMatch(
    /GPT-9 .*400K 64K ≠ sources disagree 2026-03-05 2025-08-31 images , tools , reasoning OpenAI/,
  )
  expect(list).toMatch(/GPT-9 Small .*32K – unknown – unknown – unknown – unknown OpenAI/)
  const page = words(await read('/models/openai/gpt-9'))
  expect(page).toContain('Context window 400K models.dev: 400,000')
  expect(page).toContain('Output limit 64K ≠ sources disagree LiteLLM: 64,000; models.dev: 128,000')
  expect(page).toContain('Abilities images , tools , reasoning LiteLLM, models.dev')
  expect(words(await read('/compare?models=openai/gpt-9,openai/gpt-9-small'))).toMatch(
    /Context window 400K 32K .*Knowledge until 2025-08-31 – unknown/,
  )
})

test('the list sorts by facts, the largest and latest first', async () => {
  expect(await order('sort=-context')).toEqual(['gpt-9', 'gpt-9-small'])
  expect(await order('sort=context')).toEqual(['gpt-9-small', 'gpt-9'])
  expect((await order('sort=released&all=1')).slice(0, 1)).toEqual(['gpt-9'])
  expect(await read('/models?show=released')).toContain('sort=-released')
})

test('what has no price is hidden, said so, and one link away', async () => {
  expect(await order('')).not.toContain('gpt-9-mute')
  const list = await read('/models')
  expect(words(list)).toContain('2 models · 1 without a price')
  expect(list).toContain('href="/models?all=1"')
  expect(await order('all=1')).toContain('gpt-9-mute')
  // Who asks for it by name finds it.
  expect(await order('q=gpt-9-mute')).toEqual(['gpt-9-mute'])
})

test('models are ticked to compare without a script as well', async () => {
  const list = await read('/models')
  expect(list).toContain('<form id="compare" action="/compare" method="get">')
  expect(list.match(/<input type="checkbox" form="compare" name="models"/g)).toHaveLength(2)
})

test('the script is small, and a page names it by its content', async () => {
  const [path] = /\/assets\/search\.[0-9a-f]{10}\.js/.exec(await read('/models')) ?? []
  const answer = await fetch(api.url + path)
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect((await answer.text()).length).toBeLessThan(3_000)
})

test('a source that is read again writes no claim, though the database has an order of keys of its own', async () => {
  const written = async () =>
    (
      await sql<{
        row: string
      }>`select xmin::text as row from feed_claims order by resource_key, source`.execute(database.db)
    ).rows
  const before = await written()
  await readModelsDev('2026-03-07T00:00:00Z')
  expect(await written()).toEqual(before)
})
