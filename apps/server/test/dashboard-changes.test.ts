import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { useApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { useDatabase } from './support/postgres.ts'
import { changeFile, publish } from './support/fixtures.ts'

type Change = Schemas['Change']

const database = useDatabase()
const api = useApi(database)
let paying: Browser
let free: Browser
let ids: string[]

const full = changeFile({
  id: 'chg_full',
  severity: 4,
  diff_before: JSON.stringify({
    'acme:alpha': { input_per_mtok: 0.25, rates: { 'batch per 1m_tokens': 0.1 } },
  }),
  diff_after: JSON.stringify({
    'acme:alpha': { input_per_mtok: 0.2, rates: { 'batch per 1m_tokens': 0.1, 'search per query': 0.01 } },
    'acme:alpha-eu': { input_per_mtok: 0.22, unit: null },
  }),
  impact_cost: 40,
  impact_notes: 'Half of the bill.',
  migration_deadline: '2027-01-31',
  effective_time: '2026-11-20',
  verified: true,
  status: 'in_effect',
  source_url: 'https://acme.example/news',
  alternatives: [
    {
      product_id: 'bolt/beta',
      product_name: 'Beta',
      vendor: 'bolt',
      migration_effort: 'low',
      cost_diff_pct: -12.5,
      rank: 1,
    },
  ],
})

beforeAll(async () => {
  paying = await signInOwner(database.db, api.url, { plan: 'developer' })
  free = await signInOwner(database.db, api.url)
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha', currency: 'EUR' })])
  ids = await publish(
    database.db,
    changeFile({ id: 'chg_low', severity: 1, vendor: 'bolt', product: 'bolt/beta', category: 'deprecation' }),
    changeFile({ id: 'chg_down', severity: 5, category: 'incident' }),
    changeFile({ id: 'chg_text', diff_before: 'cheap', diff_after: 'cheaper' }),
    full,
  )
})

async function list(browser: Browser, query = ''): Promise<Schemas['ChangeList']> {
  const { status, body } = await browser.get(`/changes${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Schemas['ChangeList']
}

async function get(browser: Browser, id: string): Promise<Change> {
  return ((await browser.get(`/changes/${id}`)).body as { data: Schemas['Change'] }).data
}

test('a change in full has before and after, value by value, and alternatives', async () => {
  const change = await get(paying, 'chg_full')
  expect(change).toMatchObject({
    access: 'full',
    severity: 4,
    impact_cost: 40,
    migration_deadline: '2027-01-31',
    source_url: 'https://acme.example/news',
    verified: true,
    moves_total: 3,
    moves: [
      { resource_id: 'acme:alpha', currency: 'EUR', field: 'input_per_mtok', before: '0.25', after: '0.2' },
      { resource_id: 'acme:alpha', field: 'search per query', before: null, after: '0.01' },
      // It is not served.
      { resource_id: 'acme:alpha-eu', currency: null, field: 'input_per_mtok', before: null, after: '0.22' },
    ],
    alternatives: [{ product_id: 'bolt/beta', product_name: 'Beta', cost_diff_pct: -12.5, notes: null }],
  })
  expect((await list(paying)).data[0]).toEqual(change)
})

test('a plan without changes sees what the public interface calls a summary', async () => {
  const change = await get(free, 'chg_full')
  expect(change).toMatchObject({
    access: 'summary',
    title: 'Alpha is cheaper',
    impact_score: 40,
    impact_cost: null,
    impact_notes: null,
    migration_deadline: null,
    moves_total: 0,
    moves: [],
    alternatives: [],
  })
  expect((await list(free)).data[0]).toEqual(change)
})

test('what was published by hand in words is told in words', async () => {
  expect((await get(paying, 'chg_text')).moves).toEqual([
    { resource_id: 'acme/alpha', currency: null, field: 'description', before: 'cheap', after: 'cheaper' },
  ])
})

test('a list tells five moves of a change, the change itself a thousand', async () => {
  const side = (amount: number) =>
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 1_200 }, (_, index) => [`acme:${index}`, { input_per_mtok: amount }]),
      ),
    )
  const change = changeFile({ vendor: 'large', diff_before: side(2), diff_after: side(1) })
  const [id] = await publish(database.db, change)
  const [listed] = (await list(paying, '?vendor=large')).data
  expect(listed).toMatchObject({ id, moves_total: 1_200 })
  expect(listed?.moves).toHaveLength(5)
  expect((await get(paying, id!)).moves).toHaveLength(1_000)
})

describe('the list', () => {
  const shown = async (query: string) => (await list(paying, query)).data.map(({ id }) => id)

  it.each([
    ['?vendor=acme', ['chg_full', 'chg_text']],
    ['?vendor=bolt', ['chg_low']],
    ['?product=bolt/beta', ['chg_low']],
    ['?category=deprecation', ['chg_low']],
    ['?category=incident', ['chg_down']],
    ['?vendor=acme&include_incidents=true', ['chg_full', 'chg_text', 'chg_down']],
    ['?min_severity=4', ['chg_full']],
    ['?min_severity=4&include_incidents=true', ['chg_full', 'chg_down']],
    ['?vendor=Acme', []],
  ])('%s', async (query, expected) => {
    expect(await shown(query)).toEqual(expected)
    expect(ids).toEqual(expect.arrayContaining(expected))
  })

  it('goes on where the page before ended', async () => {
    const first = await list(paying, '?vendor=acme&limit=1')
    expect(first.data.map(({ id }) => id)).toEqual(['chg_full'])
    const next = await list(paying, `?vendor=acme&limit=1&cursor=${first.pagination?.next_cursor}`)
    expect(next.data.map(({ id }) => id)).toEqual(['chg_text'])
    expect(next.pagination).toBeUndefined()
  })

  it('shows the same changes as the public interface', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const { data } = (await api.request('/v1/changes', { key })).body as { data: Change[] }
    expect((await list(paying)).data.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
  })

  it('refuses a cursor that is not one of ours', async () => {
    expect(await paying.get('/changes?cursor=abc')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })
})

test('every vendor and category of a change can be chosen, incidents too', async () => {
  expect((await paying.get('/change-facets')).body).toEqual({
    data: {
      vendors: ['acme', 'bolt', 'large'],
      categories: ['deprecation', 'incident', 'price_cut'],
    },
  })
})

test('a change that is not there is answered with 404', async () => {
  expect(await paying.get('/changes/chg_nothing')).toMatchObject({
    status: 404,
    body: { error: 'not_found', message: 'There is no such change.' },
  })
})

test('corrections and metadata are listed only where they are asked for', async () => {
  const shown = async (query: string) => (await list(paying, query)).data.map(({ id }) => id)
  await publish(
    database.db,
    changeFile({ id: 'chg_fix', vendor: 'mended', category: 'correction' }),
    changeFile({ id: 'chg_link', vendor: 'mended', category: 'metadata' }),
  )
  expect(await shown('?vendor=mended')).toEqual([])
  expect(await shown('?vendor=mended&category=correction')).toEqual(['chg_fix'])
  expect((await shown('?vendor=mended&include_incidents=true')).sort()).toEqual(['chg_fix', 'chg_link'])
})
