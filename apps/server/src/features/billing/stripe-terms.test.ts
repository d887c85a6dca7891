import type { Stripe } from 'stripe'
import { describe, expect, it, test } from 'vitest'
import { toOffer, toSubscription } from './stripe-terms.ts'

const at = (text: string) => Date.parse(text) / 1_000

function subscription(fields: Partial<Stripe.Subscription> = {}): Stripe.Subscription {
  return {
    id: 'sub_1',
    status: 'active',
    start_date: at('2026-11-01T12:00:00Z'),
    cancel_at: null,
    cancel_at_period_end: false,
    items: {
      data: [
        { current_period_start: at('2026-11-01T12:00:00Z'), current_period_end: at('2026-12-01T12:00:00Z') },
      ],
    },
    ...fields,
  } as Stripe.Subscription
}

describe('a subscription', () => {
  it('that renews holds three days longer than is paid, in case the renewal is reported late', () => {
    expect(toSubscription(subscription())).toEqual({
      ref: 'sub_1',
      holds: true,
      startsAt: '2026-11-01T12:00:00.000Z',
      endsAt: '2026-12-04T12:00:00.000Z',
      renewsAt: '2026-12-01T12:00:00.000Z',
      isOverdue: false,
    })
  })

  it('whose payment is tried again ends seven days after it was due', () => {
    expect(toSubscription(subscription({ status: 'past_due' }))).toMatchObject({
      holds: true,
      endsAt: '2026-11-08T12:00:00.000Z',
      renewsAt: null,
      isOverdue: true,
    })
  })

  it.each([
    ['at the end of what is paid', { cancel_at_period_end: true }, '2026-12-01T12:00:00.000Z'],
    ['on a day of its own', { cancel_at: at('2026-11-20T00:00:00Z') }, '2026-11-20T00:00:00.000Z'],
  ])('that was cancelled ends %s, exactly', (_when, fields, endsAt) => {
    expect(toSubscription(subscription(fields))).toMatchObject({ endsAt, renewsAt: null })
  })

  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', true],
    ['unpaid', false],
    ['paused', false],
    ['incomplete', false],
    ['incomplete_expired', false],
    ['canceled', false],
  ] as const)('that is %s: holds is %s', (status, holds) => {
    expect(toSubscription(subscription({ status })).holds).toBe(holds)
  })
})

test.each([
  ['usd', 3_900, '39.00', 'USD'],
  ['jpy', 500, '500', 'JPY'],
  ['kwd', 1_500, '1.500', 'KWD'],
  ['isk', 50_000, '500.00', 'ISK'],
])('a price in %s has as many decimals as the currency', (currency, unit_amount, amount, shown) => {
  const price = { id: 'price_1', currency, unit_amount, recurring: null } as Stripe.Price
  expect(toOffer('pack', price)).toEqual({ item: 'pack', amount, currency: shown, interval: null })
})

test('a price by tiers cannot be shown', () => {
  const price = { id: 'price_1', currency: 'usd', unit_amount: null } as Stripe.Price
  expect(() => toOffer('pack', price)).toThrow('The price price_1 has no fixed amount per piece.')
})
