import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from '../../../test/support/api.ts'
import { createCustomer, type Customer } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import { useDatabase } from '../../../test/support/postgres.ts'
import { changeFile, publish, spend, usageOf } from '../../../test/support/fixtures.ts'
import { paidPlans } from '../../features/entitlements/plans.ts'

const database = useDatabase()
const api = useApi(database)

interface ChangeList {
  schema_version: number
  data: ({ id: string; updated_at: string } & Record<string, unknown>)[]
  pagination?: { next_cursor: string }
}

// Published in this order, so served in the opposite one.
const published = [
  changeFile({ id: 'cut', severity: 1 }),
  changeFile({ id: 'rise', category: 'price_rise', severity: 2, product: 'acme/beta' }),
  changeFile({ id: 'outage', category: 'incident', severity: 5 }),
  changeFile({ id: 'ending', category: 'deprecation', severity: 4, vendor: 'zeta', product: 'zeta/one' }),
  changeFile({ id: 'small-outage', category: 'incident', severity: 1, vendor: 'zeta', product: 'zeta/one' }),
  changeFile({ id: 'gone', category: 'model_removed', severity: 5, vendor: 'zeta', product: 'zeta/two' }),
]
const all = ['gone', 'small-outage', 'ending', 'outage', 'rise', 'cut']
const withoutIncidents = ['gone', 'ending', 'rise', 'cut']

let reader: Customer
beforeAll(async () => {
  await publish(database.db, ...published)
  reader = await createCustomer(database.db, { plan: 'enterprise' })
})

async function list(query = ''): Promise<ChangeList> {
  const { status, body } = await api.request(`/v1/changes${query}`, { key: reader.key })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as ChangeList
}

async function idsOf(query = ''): Promise<string[]> {
  return (await list(query)).data.map((change) => change.id)
}

async function walk(query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { data, pagination } = await list(`?${query}${cursor && `&cursor=${cursor}`}`)
    ids.push(...data.map((change) => change.id))
    cursor = pagination?.next_cursor
  }
  return ids
}

commonCredentialTests({ api, database }, { path: '/v1/changes' })

describe('200', () => {
  test.each<[string, string[]]>([
    ['', withoutIncidents],
    ['?include_incidents=false', withoutIncidents],
    ['?include_incidents=true', all],
    ['?category=incident', ['small-outage', 'outage']],
    ['?category=incident&include_incidents=false', ['small-outage', 'outage']],
    ['?category=incident&include_incidents=true', ['small-outage', 'outage']],
    ['?category=price_cut', ['cut']],
    ['?category=price_cut&include_incidents=false', ['cut']],
    ['?category=price_cut&include_incidents=true', ['cut']],
    ['?vendor=zeta', ['gone', 'ending']],
    ['?vendor=zeta&include_incidents=true', ['gone', 'small-outage', 'ending']],
    ['?vendor=zeta&category=incident', ['small-outage']],
    ['?product=zeta/one&include_incidents=true', ['small-outage', 'ending']],
    ['?min_severity=5', ['gone']],
    ['?min_severity=5&include_incidents=true', ['gone', 'outage']],
    ['?min_severity=5&category=incident', ['outage']],
  ])('incidents are there only when asked for: %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  test.each<[number, string[]]>([
    [1, ['gone', 'ending', 'rise', 'cut']],
    [2, ['gone', 'ending', 'rise']],
    [3, ['gone', 'ending']],
    [4, ['gone', 'ending']],
    [5, ['gone']],
  ])('min_severity=%i leaves out what matters less', async (severity, ids) => {
    expect(await idsOf(`?min_severity=${severity}`)).toEqual(ids)
  })

  test.each<[string, string[]]>([
    ['vendor=acme', ['rise', 'cut']],
    ['product=acme/beta', ['rise']],
    ['product=acme%2Fbeta', ['rise']],
    ['vendor=acme&product=acme/alpha', ['cut']],
    ['vendor=zeta&min_severity=5', ['gone']],
    ['vendor=acme&category=price_rise&min_severity=2', ['rise']],
    ['vendor=acme&product=zeta/one', []],
    ['category=Incident', []],
    ['category=no_such_category', []],
  ])('filters by %s', async (query, ids) => {
    expect(await idsOf(`?${query}`)).toEqual(ids)
  })

  test('since includes the change of that very microsecond', async () => {
    const rise = (await list()).data.find((change) => change.id === 'rise')
    expect(await idsOf(`?since=${rise?.updated_at}`)).toEqual(['gone', 'ending', 'rise'])
  })

  test.each([1, 2, 3, 4, 5, 6, 500])('pages of %i join to the whole list', async (limit) => {
    expect(await walk(`include_incidents=true&limit=${limit}`)).toEqual(all)
    expect(await walk(`limit=${limit}`)).toEqual(withoutIncidents)
  })

  test('a page that is exactly full and the last one names no next page', async () => {
    expect(await list('?limit=4')).not.toHaveProperty('pagination')
    expect(await list('?limit=3')).toHaveProperty('pagination.next_cursor')
  })

  test('a cursor whose change has gone still leads to those after it', async () => {
    await publish(database.db, changeFile({ id: 'short-lived' }))
    const { data, pagination } = await list('?limit=1')
    expect(data[0]?.id).toBe('short-lived')
    await database.db.deleteFrom('changes').where('id', '=', 'short-lived').execute()
    expect(await idsOf(`?cursor=${pagination?.next_cursor}`)).toEqual(withoutIncidents)
  })

  test('gives every field that was published, and alternatives by rank', async () => {
    const alternative = { product_name: 'Two', vendor: 'zeta', migration_effort: 'low' }
    const details = {
      category: 'tier_change',
      diff_before: '{"acme:alpha":{"input_per_mtok":0.25}}',
      diff_after: '{"acme:alpha":{"input_per_mtok":0.2}}',
      diff_keys: '["acme:alpha#input_per_mtok"]',
      impact_cost: 60,
      impact_reliability: 0,
      impact_migration: 1,
      impact_quality: 2,
      impact_compliance: 100,
      impact_notes: 'Cheaper, and otherwise the same.',
      migration_deadline: '2027-03-31',
      effective_time: '2026-11-18',
      first_seen: '2026-11-18T14:00:00.000001Z',
      last_seen: '2026-11-18T14:30:00.000001Z',
      verified: true,
      verified_at: '2026-11-18T14:30:00.000001Z',
      status: 'in_effect',
    }
    await publish(
      database.db,
      changeFile({
        id: 'complete',
        ...details,
        alternatives: [
          { ...alternative, product_id: 'zeta/two', rank: 2, cost_diff_pct: -12.5, notes: 'Try it first.' },
          { ...alternative, product_id: 'zeta/one', rank: 1, quality_comparison: 'much the same' },
        ],
      }),
    )
    const [change] = (await list('?category=tier_change')).data
    const assigned = { access: 'full', created_at: change?.updated_at, updated_at: change?.updated_at }
    const served = {
      id: expect.stringMatching(/^alt_/) as string,
      change_id: 'complete',
      ...alternative,
      created_at: change?.updated_at,
    }
    expect(change).toEqual({
      ...changeFile({ id: 'complete', ...details }),
      ...assigned,
      alternatives: [
        {
          ...served,
          product_id: 'zeta/one',
          rank: 1,
          cost_diff_pct: null,
          quality_comparison: 'much the same',
          notes: null,
        },
        {
          ...served,
          product_id: 'zeta/two',
          rank: 2,
          cost_diff_pct: -12.5,
          quality_comparison: null,
          notes: 'Try it first.',
        },
      ],
    })
  })

  test('what was not published is null, the times seen are those of publishing, view_count is never sent', async () => {
    const [change] = (await list('?category=price_rise')).data
    expect(change).toMatchObject({
      diff_before: null,
      impact_cost: null,
      migration_deadline: null,
      verified: null,
      verified_at: null,
      status: null,
      first_seen: change?.updated_at,
      last_seen: change?.updated_at,
      alternatives: [],
      access: 'full',
    })
    expect(change).not.toHaveProperty('view_count')
    expect(change).not.toHaveProperty('source_url')
  })

  test.each(paidPlans)('the %s plan reads changes in full', async (plan) => {
    const { key } = await createCustomer(database.db, { plan })
    const { status, body } = await api.request('/v1/changes', { key })
    expect(status).toBe(200)
    expect(new Set((body as ChangeList).data.map((change) => change.access))).toEqual(new Set(['full']))
  })

  test('is metered as changes', async () => {
    const { key } = await createCustomer(database.db, { plan: 'developer' })
    const { headers } = await api.request('/v1/changes', { key })
    expect(headers.get('x-ratelimit-remaining')).toBe('9999')
    expect((await usageOf(api, { key })).endpoints).toEqual({ prices: 0, changes: 1, webhooks: 0 })
  })
})

describe('400', () => {
  test.each([
    ...['min_severity=0', 'min_severity=6', 'min_severity=01', 'min_severity=3.0', 'min_severity=+3'],
    ...['min_severity=high', 'min_severity=', 'min_severity=0x3', 'min_severity=3&min_severity=3'],
    ...['include_incidents=TRUE', 'include_incidents=1', 'include_incidents=yes', 'include_incidents='],
    ...['include_incidents', 'include_incidents=true&include_incidents=true', 'include_incidents=true%20'],
    ...['category=', 'category=%00', 'platform=acme', 'modality=llm', 'severity=3', 'status=announced'],
    ...['limit=0', 'limit=501', 'since=2026-01-01', 'cursor=x'],
  ])('?%s', async (query) => {
    const { status } = await api.request(`/v1/changes?${query}`, { key: reader.key })
    expect(status).toBe(400)
  })
})

describe('403', () => {
  test('on the free plan, with the way to the plans; it costs nothing', async () => {
    const { key } = await createCustomer(database.db)
    const { status, body, headers } = await api.request('/v1/changes', { key })
    expect(status).toBe(403)
    expect(body).toEqual({
      error: 'forbidden',
      message: expect.any(String) as string,
      status: 403,
      upgrade_url: expect.stringMatching(/^http:\/\/localhost:\d+\/dashboard\/billing$/) as string,
    })
    expect(headers.get('x-ratelimit-remaining')).toBe('100')
    expect((await usageOf(api, { key })).metered_total).toBe(0)
  })

  test('a pack adds requests, not endpoints: the free plan stays without changes, and the pack full', async () => {
    const customer = await createCustomer(database.db, { packUnits: 10 })
    await spend(database.db, customer, 100)
    expect((await api.request('/v1/changes', { key: customer.key })).status).toBe(403)
    expect((await usageOf(api, customer)).topup.remaining).toBe(10)
  })

  test('comes before 400', async () => {
    const { key } = await createCustomer(database.db)
    expect((await api.request('/v1/changes?limit=0&nonsense', { key })).status).toBe(403)
  })
})

describe('429', () => {
  test('after the daily quota, and a pack is used before that', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer', packUnits: 1 })
    await spend(database.db, customer, 10_000)
    const paid = await api.request('/v1/changes', { key: customer.key })
    expect([paid.status, paid.headers.get('x-ratelimit-topup')]).toEqual([200, 'true'])
    const { status, headers } = await api.request('/v1/changes', { key: customer.key })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d{0,4}$/)
    expect(headers.has('x-ratelimit-topup')).toBe(false)
  })
})
