import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCustomer, priceRecord, storePrices } from '../../../test/support/actors.ts'
import { commonCredentialTests } from '../../../test/support/common-credentials.ts'
import { spend } from '../../../test/support/fixtures.ts'
import { encodeCursor } from '../../platform/cursor.ts'
import { newestFirst, usePriceList } from '../../../test/support/price-list.ts'

const { database, api, reader, list, idsOf, walk } = usePriceList()

commonCredentialTests({ api, database }, { path: '/v1/prices' })

describe('200', () => {
  test('gives every field of a record, null where nothing is known', async () => {
    const { data, ...rest } = await list('?vendor=unknown')
    expect(rest).toEqual({ schema_version: 1 })
    const updatedAt = data[0]?.updated_at
    expect(data).toEqual([
      {
        resource_id: 'nowhere',
        product_id: null,
        vendor: 'unknown',
        platform: null,
        modality: null,
        region: null,
        unit: null,
        input_per_mtok: null,
        output_per_mtok: null,
        cached_input_per_mtok: null,
        image_per_unit: null,
        audio_per_min: null,
        video_per_sec: null,
        currency: null,
        source_url: null,
        effective_at: updatedAt,
        updated_at: updatedAt,
      },
    ])
  })

  test('serves exact decimals as numbers, and zero as zero', async () => {
    const response = await fetch(`${api.url}/v1/prices`, {
      headers: { authorization: `Bearer ${reader.key}` },
    })
    const text = await response.text()
    for (const fragment of [
      '"input_per_mtok":0.2,',
      '"input_per_mtok":0,',
      '"output_per_mtok":123456789.123,',
      '"cached_input_per_mtok":0.1,',
      '"audio_per_min":0.006,',
      '"video_per_sec":999999999,',
      '"image_per_unit":0.000000001,',
    ]) {
      expect(text).toContain(fragment)
    }
  })

  test("serves the source's date or instant as it is, else the record's updated_at", async () => {
    const { data } = await list('?vendor=acme')
    const effective = Object.fromEntries(data.map((price) => [price.resource_id, price.effective_at]))
    expect(effective).toEqual({
      'acme:alpha': '2026-01-31',
      'acme:Alpha': data.find((price) => price.resource_id === 'acme:Alpha')?.updated_at,
      'bedrock:eu-central-1:acme.alpha-v1:0': '2026-02-28T23:59:59.000001Z',
    })
  })

  test('orders by updated_at, newest first', async () => {
    const { data } = await list()
    expect(data.map((price) => price.resource_id)).toEqual(newestFirst)
    const times = data.map((price) => price.updated_at)
    expect(times).toEqual(times.toSorted().reverse())
  })

  test.each<[string, string[]]>([
    ['vendor=zeta', ['zeta:speech', 'router:zeta/pict']],
    ['product=acme/alpha', ['bedrock:eu-central-1:acme.alpha-v1:0', 'acme:alpha']],
    ['platform=bedrock', ['bedrock:eu-central-1:acme.alpha-v1:0']],
    ['modality=image', ['router:zeta/pict']],
    ['vendor=acme&platform=acme', ['acme:Alpha', 'acme:alpha']],
    ['vendor=zeta&modality=audio', ['zeta:speech']],
    ['platform=acme&modality=llm', ['acme:Alpha', 'acme:alpha']],
    ['vendor=acme&product=acme/Alpha&platform=acme&modality=llm', ['acme:Alpha']],
    ['vendor=acme&platform=zeta', []],
    ['vendor=nobody', []],
  ])('filters by %s', async (query, ids) => {
    expect(await idsOf(`?${query}`)).toEqual(ids)
  })

  test('filters are exact: case counts, parts and patterns match nothing', async () => {
    for (const query of ['vendor=Acme', 'vendor=acm', 'vendor=acme%20', 'vendor=%25', 'platform=a_me']) {
      expect(await idsOf(`?${query}`), query).toEqual([])
    }
  })

  test('a product is never inferred from a resource id', async () => {
    expect(await idsOf('?product=zeta/pict')).toEqual([])
    expect(await idsOf('?product=acme:alpha')).toEqual([])
  })

  test('reserved characters may stand raw or encoded in a value', async () => {
    expect(await idsOf('?product=acme%2Falpha')).toEqual(await idsOf('?product=acme/alpha'))
  })

  test('since includes the record of that very microsecond, in whatever offset it is written', async () => {
    const [first, second, third] = (await list()).data
    const since = second?.updated_at ?? ''
    const wanted = [first?.resource_id, second?.resource_id]
    const plusTwo = new Date(Date.parse(since) + 7_200_000).toISOString().slice(0, 19)
    for (const spelling of [
      since,
      since.replace('T', 't').replace('Z', 'z'),
      since.replace('Z', '+00:00').replace('+', '%2B'),
      since.replace('Z', '-00:00'),
      `${plusTwo}${since.slice(19, 26)}%2B02:00`,
      // More than six digits are cut, not rounded.
      since.replace('Z', '999Z'),
      encodeURIComponent(since),
    ]) {
      expect(await idsOf(`?since=${spelling}`), spelling).toEqual(wanted)
    }
    expect(await idsOf(`?since=${third?.updated_at}&limit=500`)).toHaveLength(3)
    expect(await idsOf('?since=0001-01-01T00:00:00Z')).toEqual(newestFirst)
    expect(await idsOf('?since=9999-12-31T23:59:59Z')).toEqual([])
  })

  test.each([1, 2, 4, 5])('pages of %i join to the whole list, without gap or repetition', async (limit) => {
    const pages = await walk(`limit=${limit}`)
    expect(pages.flat()).toEqual(newestFirst)
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    expect(pages).toHaveLength(Math.ceil(newestFirst.length / limit))
  })

  test('a page that is exactly full and the last one names no next page', async () => {
    expect(await list(`?limit=${newestFirst.length}`)).not.toHaveProperty('pagination')
    expect(await list('?limit=500')).not.toHaveProperty('pagination')
  })

  test('filters hold on every page', async () => {
    expect(await walk('vendor=acme&limit=1')).toEqual([
      ['bedrock:eu-central-1:acme.alpha-v1:0'],
      ['acme:Alpha'],
      ['acme:alpha'],
    ])
  })

  test('the cursor is the base64url JSON pair of updated_at and resource_id of the last row', async () => {
    const { data, pagination } = await list('?limit=2')
    const { updated_at, resource_id } = data[1] ?? { updated_at: '', resource_id: '' }
    const text = JSON.stringify([updated_at, resource_id])
    expect(pagination?.next_cursor).toBe(Buffer.from(text).toString('base64url'))
  })

  test('a cursor whose row has gone still leads to the rows after it', async () => {
    await storePrices(database.db, [priceRecord({ resource_id: 'gone:tomorrow', vendor: 'gone' })])
    const { pagination } = await list('?limit=1')
    await database.db.deleteFrom('prices').where('vendor', '=', 'gone').execute()
    expect(await idsOf(`?cursor=${pagination?.next_cursor}`)).toEqual(newestFirst)
  })

  test('a cursor from before or after all rows is a place like any other', async () => {
    const future = encodeCursor({ updatedAt: '9999-12-31T23:59:59.999999Z', id: 'z' })
    const past = encodeCursor({ updatedAt: '0001-01-01T00:00:00.000000Z', id: 'a' })
    expect(await idsOf(`?cursor=${future}`)).toEqual(newestFirst)
    expect(await idsOf(`?cursor=${past}`)).toEqual([])
  })

  test('has 100 rows a page unless told otherwise, and 500 at most', async () => {
    const many = Array.from({ length: 620 }, (_, index) =>
      priceRecord({ resource_id: `bulk:${index}`, vendor: 'bulk' }),
    )
    await storePrices(database.db, many)
    try {
      expect(await idsOf('?vendor=bulk')).toHaveLength(100)
      expect(await idsOf('?vendor=bulk&limit=500')).toHaveLength(500)
      const all = await walk('vendor=bulk&limit=77')
      expect(all.flat()).toEqual(many.map((record) => record.resource_id).reverse())
    } finally {
      await database.db.deleteFrom('prices').where('vendor', '=', 'bulk').execute()
    }
  })

  test('rows of one page sort by bytes where a language would not', async () => {
    // updated_at is unique, so the tie-break shows only in the comparison with the cursor.
    const [newest] = (await list('?limit=1')).data
    const after = (id: string) => encodeCursor({ updatedAt: newest?.updated_at ?? '', id })
    expect(await idsOf(`?limit=1&cursor=${after('zeta:speecha')}`)).toEqual(['zeta:speech'])
    expect(await idsOf(`?limit=1&cursor=${after('Zeta:speech')}`)).toEqual(newestFirst.slice(1, 2))
  })

  test('rows with the longest ids there may be can be paged over', async () => {
    const ids = ['long:', 'longer:'].map((name) => (name + 'ü'.repeat(512)).slice(0, 512))
    await storePrices(
      database.db,
      ids.map((resource_id) => priceRecord({ resource_id, vendor: 'long' })),
    )
    try {
      expect((await walk('vendor=long&limit=1')).flat()).toEqual(ids.reverse())
    } finally {
      await database.db.deleteFrom('prices').where('vendor', '=', 'long').execute()
    }
  })

  test('a free key is served, and the headers count down by one', async () => {
    const { key } = await createCustomer(database.db)
    for (const remaining of ['99', '98', '97']) {
      const { status, headers } = await api.request('/v1/prices', { key })
      expect(status).toBe(200)
      expect(headers.get('x-ratelimit-limit')).toBe('100')
      expect(headers.get('x-ratelimit-remaining')).toBe(remaining)
      expect(headers.has('x-ratelimit-topup')).toBe(false)
    }
  })

  test('X-RateLimit-Reset is the next UTC midnight', async () => {
    const { headers } = await api.request('/v1/prices', { key: reader.key })
    const { rows } = await sql<{ reset: number }>`
      select extract(epoch from date_trunc('day', ratecard_now() at time zone 'utc') + interval '1 day')::int8 as reset`.execute(
      database.db,
    )
    expect(headers.get('x-ratelimit-reset')).toBe(String(rows[0]?.reset))
  })

  test('X-RateLimit-Topup is there exactly when a pack paid', async () => {
    const customer = await createCustomer(database.db, { packUnits: 2 })
    await spend(database.db, customer, 99)
    const answers = []
    for (let count = 0; count < 4; count += 1) {
      const { status, headers } = await api.request('/v1/prices', { key: customer.key })
      answers.push([status, headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-topup')])
    }
    expect(answers).toEqual([
      [200, '0', null],
      [200, '0', 'true'],
      [200, '0', 'true'],
      [429, '0', null],
    ])
  })
})
