import { gzipSync } from 'node:zlib'
import type { Schemas } from '../src/http/dashboard/schemas/index.ts'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { writePrices } from '../src/features/prices/write-prices.ts'
import { useApi } from './support/api.ts'
import { createCustomer, priceRecord, storePrices } from './support/actors.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

type PriceTable = Schemas['PriceTable']

const database = useDatabase()
const api = useApi(database)
let browser: Browser
beforeAll(async () => {
  browser = await signInOwner(database.db, api.url)
})

async function readTable(): Promise<PriceTable> {
  const answer = await browser.get('/prices')
  expect(answer.status).toBe(200)
  return (answer.body as { data: Schemas['PriceTable'] }).data
}

/** The same index in each list, as a record. */
function rowAt({ columns }: PriceTable, index: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[index]]))
}

test('without a price every list is empty', async () => {
  const { count, columns } = await readTable()
  expect(count).toBe(0)
  expect(Object.values(columns).every((values) => values.length === 0)).toBe(true)
})

describe('the table', () => {
  beforeAll(async () => {
    const records = [
      priceRecord({ resource_id: 'acme:alpha', effective_at: '2026-01-31' }),
      priceRecord({ resource_id: 'acme:tiny', input_per_mtok: '0.000000001', output_per_mtok: null }),
      priceRecord({ resource_id: 'acme:free', product_id: null, input_per_mtok: '0', source_url: null }),
    ]
    await storePrices(database.db, records)
    await storePrices(database.db, [{ ...records[0]!, input_per_mtok: '0.15' }])
  })

  it('tells exactly what the public list tells, in its order', async () => {
    const { key } = await createCustomer(database.db)
    const { data } = (await api.request('/v1/prices', { key })).body as { data: { resource_id: string }[] }
    const table = await readTable()
    expect(table.count).toBe(3)
    const states: Record<string, number> = { 'acme:alpha': 2, 'acme:tiny': 1, 'acme:free': 1 }
    expect(data.map((_price, index) => rowAt(table, index))).toEqual(
      data.map((price) => ({
        ...price,
        ...{ versions: states[price.resource_id], rates: 0, input_mark: null, output_mark: null },
        ...{ starts_on: null, standing: null },
      })),
    )
  })

  it('is not sent again until a price moves', async () => {
    const first = await browser.get('/prices')
    const etag = first.headers.get('etag')!
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const again = (tag: string) => browser.send('GET', '/prices', undefined, { 'if-none-match': tag })
    const unchanged = await again(etag)
    expect(unchanged).toMatchObject({ status: 304, body: '' })
    expect(unchanged.headers.get('etag')).toBe(etag)
    expect((await again(`"other", W/${etag}`)).status).toBe(304)
    expect((await again('"other"')).status).toBe(200)

    await storePrices(database.db, [priceRecord({ resource_id: 'acme:new' })])
    const moved = await again(etag)
    expect(moved.status).toBe(200)
    expect(moved.headers.get('etag')).not.toBe(etag)
  })

  it('is not told to who is signed out, whatever they have kept', async () => {
    const etag = (await browser.get('/prices')).headers.get('etag')!
    const stranger = { cookie: null, 'if-none-match': etag }
    expect((await browser.send('GET', '/prices', undefined, stranger)).status).toBe(401)
  })
})

describe('the history of a record', () => {
  it('has every state, the newest first', async () => {
    const record = priceRecord({ resource_id: 'acme:beta/2 ü', effective_at: '2026-01-31' })
    await storePrices(database.db, [record])
    await storePrices(database.db, [{ ...record, input_per_mtok: '0.000000001', effective_at: null }])
    const { status, body } = await browser.get(
      `/price-history?resource_id=${encodeURIComponent(record.resource_id)}`,
    )
    expect(status).toBe(200)
    const { data } = body as { data: Schemas['PriceHistory'] }
    expect(data.resource_id).toBe(record.resource_id)
    const [now, before] = data.versions
    expect(data.versions).toHaveLength(2)
    expect(now).toMatchObject({ input_per_mtok: 0.000000001, output_per_mtok: 1.25, source: 'test' })
    expect(now?.valid_from).toBe(now?.since)
    expect(now?.valid_from_by).toBe('first_seen')
    expect(now?.moved).toEqual(['input_per_mtok', 'effective_at'])
    expect(before).toMatchObject({
      input_per_mtok: 0.2,
      moved: [],
      valid_from: '2026-01-31T00:00:00.000000Z',
      valid_from_by: 'source',
    })
    expect(before!.since < now!.since).toBe(true)
  })

  it('has the day that a published change gives', async () => {
    const record = priceRecord({ resource_id: 'acme:gamma' })
    const storeAt = (observedAt: string, input_per_mtok: string) =>
      database.db.transaction().execute((trx) =>
        writePrices(trx, [{ record: { ...record, input_per_mtok }, source: 'test', rates: null }], {
          runId: null,
          observedAt,
        }),
      )
    await storeAt('2026-01-01T00:00:00Z', '3')
    await storeAt('2026-03-01T00:00:00Z', '2')
    const diff_after = '{"acme:gamma":{"input_per_mtok":2}}'
    await publish(database.db, changeFile({ effective_time: '2026-02-01', diff_after }))
    const { body } = await browser.get('/price-history?resource_id=acme:gamma')
    expect((body as { data: Schemas['PriceHistory'] }).data.versions).toMatchObject([
      {
        since: '2026-03-01T00:00:00.000000Z',
        valid_from: '2026-02-01T00:00:00.000000Z',
        valid_from_by: 'change',
      },
      { valid_from_by: 'first_seen' },
    ])
  })

  it('of no record is answered with 404, and of no name with 400', async () => {
    expect(await browser.get('/price-history?resource_id=acme:nothing')).toMatchObject({
      status: 404,
      body: { error: 'not_found', message: 'There is no such price record.' },
    })
    expect((await browser.get('/price-history')).status).toBe(400)
  })
})

describe('13,000 records', () => {
  const count = 13_000

  beforeAll(async () => {
    const records = Array.from({ length: count }, (_, index) => {
      const vendor = `vendor-${index % 60}`
      const product = `${vendor}/model-${index % 4_000}`
      const platform = `platform-${index % 90}`
      return priceRecord({
        resource_id: `${platform}:${product}-${index}`,
        product_id: index % 5 === 0 ? null : product,
        vendor,
        platform,
        input_per_mtok: String((index % 997) / 100),
        output_per_mtok: String((index % 1_997) / 50),
        cached_input_per_mtok: index % 3 === 0 ? String((index % 499) / 1_000) : null,
        source_url: `https://${vendor}.example/docs/pricing`,
      })
    })
    await storePrices(database.db, records)
  })

  it('are one answer, below half a megabyte on the way and well within the time of a statement', async () => {
    await readTable()
    const startedAt = performance.now()
    const table = await readTable()
    const tookMs = performance.now() - startedAt
    expect(table.count).toBeGreaterThanOrEqual(count)
    expect(new Set(Object.values(table.columns).map((values) => values.length))).toEqual(
      new Set([table.count]),
    )
    const text = JSON.stringify(table)
    const compressedBytes = gzipSync(text).length
    expect(compressedBytes).toBeLessThan(500_000)
    // Takes 0.3 s alone. A statement is ended after 2 s; the rest is for a machine that is busy.
    expect(tookMs).toBeLessThan(5_000)
  })
})
