import { describe, expect, test } from 'vitest'
import type { Change, Price } from '../../src/index.ts'
import { createFakeRatecard, type FakeRatecard } from '../../src/testing.ts'
import { get, rowsOf } from './client.ts'

describe('rows', () => {
  test('the data of a test takes the place of the samples', () => {
    const fake = createFakeRatecard({ prices: [{ resource_id: 'acme:a', vendor: 'acme' }], changes: [] })
    expect(fake.prices).toMatchObject([
      {
        resource_id: 'acme:a',
        updated_at: '2026-11-20T09:30:00.000000Z',
        effective_at: '2026-11-20T09:30:00.000000Z',
      },
    ])
    expect(fake.changes).toEqual([])
  })

  test('updated_at moves only where a value moves, and always forwards', async () => {
    const fake = createFakeRatecard({ prices: [{ resource_id: 'a' }, { resource_id: 'b' }] })
    const [b, a] = fake.prices as [Price, Price]
    expect(fake.putPrices({ resource_id: 'a' }, { resource_id: 'b', vendor: 'x' })).toMatchObject([
      { updated_at: a.updated_at },
      { vendor: 'x', updated_at: '2026-11-21T09:30:00.000000Z' },
    ])
    expect(fake.putPrices({ resource_id: 'a', vendor: 'y' })[0]?.updated_at).toBe(
      '2026-11-21T09:30:00.000001Z',
    )
    expect(b.updated_at > a.updated_at).toBe(true)
    const since = await rowsOf<Price>(get(fake, `/v1/prices?since=${fake.prices[0]?.updated_at}`))
    expect(since.map((price) => price.resource_id)).toEqual(['a'])
  })

  test('of a known row only the given fields change', () => {
    const fake = createFakeRatecard()
    const before = fake.prices.find(({ resource_id }) => resource_id === 'openai:gpt-4o')
    const [price] = fake.putPrices({ resource_id: 'openai:gpt-4o', output_per_mtok: 8 })
    expect(price).toEqual({ ...before, output_per_mtok: 8, updated_at: '2026-11-21T09:30:00.000000Z' })
    const known = fake.changes.find(({ id }) => id === 'chg_whisper1_deprecation')
    expect(fake.putChanges({ id: 'chg_whisper1_deprecation', severity: 5 })).toEqual([known])
    const [change] = fake.putChanges({ id: 'chg_whisper1_deprecation', severity: 4 })
    expect(change).toEqual({ ...known, severity: 4, updated_at: change?.updated_at })
  })

  test('a changed change keeps its creation and moves to the front', () => {
    const fake = createFakeRatecard()
    const [change] = fake.putChanges({
      id: 'chg_veo3_added',
      product: 'google/veo-3',
      status: 'withdrawn',
    }) as [Change]
    expect(change.created_at < change.updated_at).toBe(true)
    expect(fake.changes.map(({ id }) => id)[0]).toBe('chg_veo3_added')
    expect(fake.changes).toHaveLength(5)
  })

  test('a cursor stays valid when its row has gone', async () => {
    const fake = createFakeRatecard()
    const page = (await (await get(fake, '/v1/prices?limit=2')).json()) as {
      data: Price[]
      pagination: { next_cursor: string }
    }
    expect(fake.removePrice(page.data[1]!.resource_id)).toBe(true)
    const rest = await rowsOf<Price>(get(fake, `/v1/prices?cursor=${page.pagination.next_cursor}`))
    expect(rest).toEqual(fake.prices.slice(1))
  })

  test.each<[string, (fake: FakeRatecard) => unknown, RegExp]>([
    ['a price without an id', (fake) => fake.putPrices({ resource_id: '' }), /resource_id/],
    [
      'a price with a field of its own',
      (fake) => fake.putPrices({ resource_id: 'a', price: 1 } as never),
      /price/,
    ],
    [
      'a price below zero',
      (fake) => fake.putPrices({ resource_id: 'a', image_per_unit: -1 }),
      /image_per_unit/,
    ],
    [
      'a price with updated_at',
      (fake) => fake.putPrices({ resource_id: 'a', updated_at: 'x' } as never),
      /updated_at/,
    ],
    [
      'a date that does not exist',
      (fake) => fake.putPrices({ resource_id: 'a', effective_at: '2026-02-30' }),
      /effective_at/,
    ],
    ['a severity of 6', (fake) => fake.putChanges({ product: 'a', severity: 6 }), /severity/],
    ['an impact of 101', (fake) => fake.putChanges({ product: 'a', impact_cost: 101 }), /impact_cost/],
    [
      'a date where an instant belongs',
      (fake) => fake.putChanges({ product: 'a', verified_at: '2026-01-01' }),
      /verified_at/,
    ],
    ['a clock of nonsense', () => createFakeRatecard({ now: 'noon' }), /now/],
    ['a failure that says nothing', (fake) => fake.failNext({ times: 2 }), /what goes wrong/],
  ])('%s is refused when it is given', (_what, work, message) => {
    expect(() => work(createFakeRatecard())).toThrow(message)
  })
})
