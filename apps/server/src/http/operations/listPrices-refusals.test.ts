import { describe, expect, test } from 'vitest'
import { createCustomer, createKey } from '../../../test/support/actors.ts'
import { spend, usageOf } from '../../../test/support/fixtures.ts'
import { insertPack } from '../../features/metering/pack-store.ts'
import { usePriceList } from '../../../test/support/price-list.ts'

const { database, api, reader, list } = usePriceList()

describe('400', () => {
  test.each([
    ...['0', '501', '-1', '1.5', 'abc', '', '0x10', '1e2', '+5', '%2B5', ' 5', '%205', '0100', '5%20'],
    ...['99999999999999999999', '١', 'null', 'true', '5,6', '[5]'],
  ])('limit=%s', async (limit) => {
    const { status } = await api.request(`/v1/prices?limit=${limit}`, { key: reader.key })
    expect(status).toBe(400)
  })

  test.each([
    ...['2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z', '2026-02-29T00:00:00Z'],
    ...['0000-01-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:60:00Z'],
    ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-01T00:00:00.Z'],
    ...['2026-01-01T00:00:00+05:30', '2026-01-01T00:00:00%2B24:00', '2026-01-01T00:00:00%2B05', 'now'],
    ...['0001-01-01T00:00:00%2B00:01', '9999-12-31T23:59:59-00:01', '1767225600', '+002026-01-01T00:00:00Z'],
    `2026-01-01T00:00:00.${'1'.repeat(60)}Z`,
  ])('since=%s', async (since) => {
    const { status } = await api.request(`/v1/prices?since=${since}`, { key: reader.key })
    expect(status).toBe(400)
  })

  test('a cursor that is not exactly as issued', async () => {
    const cursor = (await list('?limit=1')).pagination?.next_cursor ?? ''
    const pair = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const updatedAt = '2026-01-01T00:00:00.000000Z'
    for (const bad of [
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}==`,
      cursor.slice(0, -1),
      cursor.slice(1),
      'x',
      'bnVsbA',
      pair([updatedAt, 'a', 'b']),
      pair([updatedAt]),
      pair({ 0: updatedAt, 1: 'a' }),
      pair([updatedAt, 1]),
      pair([updatedAt, '']),
      pair([updatedAt, 'a\0']),
      pair(['2026-01-01T00:00:00Z', 'a']),
      pair(['2026-02-30T00:00:00.000000Z', 'a']),
      Buffer.from(`["${updatedAt}", "a"]`).toString('base64url'),
      Buffer.from(`["${updatedAt}","\\u0061"]`).toString('base64url'),
      Buffer.from(JSON.stringify([updatedAt, 'a?>a'])).toString('base64'),
      'A'.repeat(1_025),
    ]) {
      const { status } = await api.request(`/v1/prices?cursor=${bad}`, { key: reader.key })
      expect(status, bad).toBe(400)
    }
  })

  test.each([
    ...['vendr=acme', 'Vendor=acme', 'vendor[]=acme', 'vendor=', 'vendor', 'vendor=a&vendor=a', '=acme'],
    ...['vendor=%00', 'vendor=%0A', 'vendor=%7F', 'vendor=%zz', 'vendor=%', 'vendor=%ff', 'vendor=%ED%A0%80'],
    ...['category=price_cut', 'resource_id=acme:alpha', `vendor=${'a'.repeat(257)}`, '__proto__=1'],
    ...['product=', 'platform=', 'modality=', 'since=', 'cursor=', 'limit=1&limit=1', '%76endor=a&vendor=a'],
  ])('?%s', async (query) => {
    const { status, body } = await api.request(`/v1/prices?${query}`, { key: reader.key })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'invalid_request', status: 400 })
  })

  test('says what is wrong, and costs nothing', async () => {
    const { key } = await createCustomer(database.db)
    const { body, headers } = await api.request('/v1/prices?limit=501', { key })
    expect(body).toMatchObject({ message: expect.stringContaining('limit') as string })
    expect(headers.get('x-ratelimit-remaining')).toBe('100')
    expect((await usageOf(api, { key })).metered_total).toBe(0)
  })

  test('comes before 429: a bad request of an exhausted key is told what is wrong with it', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    expect((await api.request('/v1/prices?limit=0', { key: customer.key })).status).toBe(400)
    expect((await api.request('/v1/prices?cursor=x', { key: customer.key })).status).toBe(400)
    expect((await api.request('/v1/prices', { key: customer.key })).status).toBe(429)
  })
})

describe('429', () => {
  test('when quota and packs are used up: says where to buy, and how long to wait', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    const { status, body, headers } = await api.request('/v1/prices', { key: customer.key })
    expect(status).toBe(429)
    expect(body).toEqual({
      error: 'quota_exceeded',
      message: expect.any(String) as string,
      status: 429,
      topup_url: expect.stringMatching(/^http:\/\/localhost:\d+\/dashboard\/billing$/) as string,
    })
    const reset = Number(headers.get('x-ratelimit-reset'))
    const wait = Number(headers.get('retry-after'))
    expect(Math.abs(reset - wait - Date.now() / 1_000)).toBeLessThan(5)
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect((await usageOf(api, customer)).metered_total).toBe(100)
  })

  test('the next request after a purchase is served', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    expect((await api.request('/v1/prices', { key: customer.key })).status).toBe(429)
    await insertPack(database.db, customer.accountId, { units: 1 })
    expect((await api.request('/v1/prices', { key: customer.key })).status).toBe(200)
    expect((await api.request('/v1/prices', { key: customer.key })).status).toBe(429)
  })

  test('of one key holds for no other key of the account', async () => {
    const customer = await createCustomer(database.db)
    await spend(database.db, customer, 100)
    const other = await createKey(database.db, customer.accountId)
    expect((await api.request('/v1/prices', { key: other.key })).status).toBe(200)
  })
})
