import { beforeAll, describe, expect, test } from 'vitest'
import { writePrices } from '../src/catalog/write-prices.ts'
import { priceRecord } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

// One model has one page: its variants and snapshots are on it, and their addresses lead to it.

const database = useDatabase()
const api = useApi(database)

const llama = 'meta/llama-3.3-70b-instruct'
const price = (platform: string, id: string, product: string | null, amounts: readonly [string, string]) =>
  priceRecord({
    resource_id: `${platform}:${id}`,
    ...{ product_id: product, vendor: 'meta', platform, modality: 'llm' },
    ...{ input_per_mtok: amounts[0], output_per_mtok: amounts[1], cached_input_per_mtok: null },
  })
const gpt = (platform: string, id: string, amounts: readonly [string, string]) => ({
  ...price(platform, id, 'openai/gpt-4o', amounts),
  vendor: 'openai',
})

beforeAll(async () => {
  const records = [
    price('azure', 'Llama-3.3-70B-Instruct', llama, ['0.71', '0.71']),
    price('novita', 'meta-llama/llama-3.3-70b-instruct', llama, ['0.2', '0.4']),
    price('deepinfra', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', `${llama}-turbo`, ['0.1', '0.32']),
    price('groq', 'llama-3.3-70b-versatile', 'meta/llama-3.3-70b-versatile', ['0.59', '0.79']),
    price('oci', 'meta.llama-3.3-70b-instruct-fp8-dynamic', null, ['0.72', '0.72']),
    price('github', 'llama-3.3-70b-instruct', llama, ['0', '0']),
    gpt('openai', 'gpt-4o', ['2.5', '10']),
    gpt('openai', 'gpt-4o-2024-11-20', ['2.5', '10']),
    gpt('openai', 'gpt-4o-2024-08-06', ['2.5', '10']),
    gpt('openai', 'gpt-4o-2024-05-13', ['5', '15']),
    ...['b', 'c', 'd', 'e', 'f'].map((host) => gpt(host, 'gpt-4o', ['2.5', '10'])),
    gpt('dear', 'gpt-4o', ['9', '9.123450001']),
    { ...price('acme', 'dusty', 'acme/dusty', ['2.99999', '2.99999']), vendor: 'acme' },
  ]
  const writes = records.map((record) => ({ record, source: 'test', rates: [] }))
  await database.db
    .transaction()
    .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: '2026-03-01T00:00:00Z' }))
  await publish(
    database.db,
    changeFile({ product: `${llama}-turbo`, vendor: 'meta', title: 'The turbo variant got cheaper' }),
  )
})

const read = async (path: string) => (await api.request(path)).body as string
const words = (html: string) => html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')

test('a search shows one row of it, with the number of its variants', async () => {
  for (const search of ['llama 3.3 70b', 'versatile', 'meta.llama-3.3-70b-instruct-fp8-dynamic']) {
    const html = await read(`/models?q=${search}`)
    expect(words(html)).toContain('1 model ')
    expect(words(html)).toMatch(/Llama 3\.3 70B Instruct median \+ 3 variants.*6 platforms, from \$0\.155/)
  }
})

describe('the page of a family', () => {
  test('has the prices of all its variants, named by what sets them apart', async () => {
    const page = words(await read(`/models/${llama}`))
    expect(page).toContain(
      'These are the median of 5 prices elsewhere; the cheapest is DeepInfra at $0.10 in',
    )
    expect(page).toContain('Free within limits on GitHub; “cheapest” leaves that out.')
    for (const said of ['DeepInfra turbo', 'Groq versatile', 'Oracle Cloud fp8 dynamic'])
      expect(page).toContain(said)
    expect(page).toContain('3 variants of Llama 3.3 70B Instruct on this page')
    // What is free stands below what is sold.
    expect(page).toMatch(/Prices by platform.*Groq.*GitHub/)
  })

  test('has their changes', async () => {
    const query = `?product=${encodeURIComponent(llama)}`
    for (const path of [`/models/${llama}`, `/changes${query}`, `/changes.atom${query}`])
      expect(await read(path), path).toContain('The turbo variant got cheaper')
    expect(JSON.stringify((await api.request(`/changes.json${query}`)).body)).toContain('The turbo variant')
  })

  test('leads to all of them, page by page', async () => {
    const named = (product: string) =>
      Array.from({ length: 20 }, (_, n) => changeFile({ product, vendor: 'meta', title: `${product} ${n} moved` }))
    await publish(database.db, ...named(llama), ...named(`${llama}-turbo`))
    const first = `/changes?product=${encodeURIComponent(llama)}`
    await expect.poll(() => read(first)).toContain('rel="next"')
    const page = await read(first)
    const older = await read(/rel="next" href="([^"]+)"/.exec(page)![1]!.replaceAll('&#38;', '&'))
    const found = [page, older].map((html) => html.match(/\d+ moved/g)?.length ?? 0)
    expect(found).toEqual([30, 10])
    expect(older).toContain('The turbo variant got cheaper')
  }) // prettier-ignore

  test('folds snapshots and platforms of one price, and has what differs before them', async () => {
    const page = words(await read('/models/openai/gpt-4o'))
    expect(page).toMatch(
      /OpenAI openai:gpt-4o \$2 .*\+ 2 snapshots at the same price .*OpenAI 2024-05-13 .*Dear .*\+ 4 platforms at the same price/,
    )
  })
})

test('what a division left behind an amount is told on hover', async () => {
  const page = await read('/models/openai/gpt-4o')
  expect(words(page)).toMatch(/Dear .{0,40}\$9 \.00 *\$9 \.12345 /)
  expect(page).toContain('title="$9.123450001"')
})

test('what a division took from an amount is told on hover, too, and is in no blend', async () => {
  const page = await read('/models/acme/dusty')
  expect(words(page)).toMatch(/Acme acme:dusty \$3 \.00 *\$3 \.00 /)
  expect(page).toContain('title="$2.99999"')
  expect(words(await read('/compare?models=acme/dusty'))).toMatch(/Blended \(3:1\) \$3\.00 .*\$3\.00 on Acme/)
})

describe('the address of a variant', () => {
  test.each([
    ['/models/meta/llama-3.3-70b-versatile', 'groq:llama-3.3-70b-versatile'],
    [`/models/${llama}-turbo`, 'deepinfra:meta-llama/Llama-3.3-70B-Instruct-Turbo'],
    ['/prices/oci:meta.llama-3.3-70b-instruct-fp8-dynamic', 'oci:meta.llama-3.3-70b-instruct-fp8-dynamic'],
    ['/prices/azure:Llama-3.3-70B-Instruct', 'azure:Llama-3.3-70B-Instruct'],
  ])('%s leads to its row', async (path, row) => {
    const answer = await fetch(api.url + path, { redirect: 'manual' })
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe(`/models/${llama}#${encodeURIComponent(row)}`)
    expect(await read(`/models/${llama}`)).toContain(`id="${row}"`)
  })

  test('compares as the model', async () => {
    expect(words(await read('/compare?models=meta/llama-3.3-70b-versatile'))).toContain(llama)
  })

  test('is in no sitemap', async () => {
    const urls = await read('/sitemap.xml')
    expect(urls).toContain(llama)
    expect(urls).not.toContain('versatile')
  })
})
