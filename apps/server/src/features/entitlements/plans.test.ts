import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paidPlans, plans, termsFor } from './plans.ts'

const some = fc.subarray([...paidPlans])

describe('the plan table', () => {
  test('has the numbers of the interface for free and developer, and ours for the others', () => {
    expect(plans).toMatchObject({
      free: { dailyLimit: 100, keysMax: 2, activeWebhooksMax: 0, usageName: 'api_free' },
      developer: { dailyLimit: 10_000, keysMax: 10, activeWebhooksMax: 2, usageName: 'developer' },
      scale: { dailyLimit: 100_000, keysMax: 10 },
      team: { dailyLimit: 100_000, keysMax: 10 },
      enterprise: { dailyLimit: 1_000_000, keysMax: 10 },
    })
  })

  test('free reads prices and usage, every paid plan may call everything', () => {
    expect([...plans.free.operations].toSorted()).toEqual(['getHealth', 'getUsage', 'listPrices'])
    for (const plan of paidPlans) {
      expect([...plans[plan].operations].toSorted()).toEqual([
        'createWebhook',
        'deleteWebhook',
        'getHealth',
        'getUsage',
        'listChanges',
        'listPrices',
        'listWebhooks',
      ])
      expect(plans[plan].changeAccess).toBe('full')
    }
  })

  test('webhooks are unlimited beyond developer', () => {
    for (const plan of ['scale', 'team', 'enterprise'] as const) {
      expect(plans[plan].activeWebhooksMax).toBe(Infinity)
    }
  })
})

describe('termsFor', () => {
  test('without a current plan the account is free', () => {
    expect(termsFor([])).toEqual(plans.free)
  })

  test('one plan has its own terms', () => {
    for (const plan of paidPlans) expect(termsFor([plan])).toEqual(plans[plan])
  })

  test('of several the most generous term of each counts', () => {
    expect(termsFor(['developer', 'scale'])).toMatchObject({
      dailyLimit: 100_000,
      activeWebhooksMax: Infinity,
    })
    expect(termsFor(['enterprise', 'team']).dailyLimit).toBe(1_000_000)
  })

  test('neither order nor repetition matters, and one more plan never takes anything away', () => {
    fc.assert(
      fc.property(some, some, (held, more) => {
        const terms = termsFor(held)
        expect(termsFor([...held].reverse())).toEqual(terms)
        expect(termsFor([...held, ...held])).toEqual(terms)
        const both = termsFor([...held, ...more])
        expect(both.dailyLimit).toBeGreaterThanOrEqual(terms.dailyLimit)
        expect(both.keysMax).toBeGreaterThanOrEqual(terms.keysMax)
        expect(both.activeWebhooksMax).toBeGreaterThanOrEqual(terms.activeWebhooksMax)
        expect(terms.operations.isSubsetOf(both.operations)).toBe(true)
        expect(both.changeAccess === 'full' || terms.changeAccess === 'summary').toBe(true)
        expect(both.usageName === 'developer' || terms.usageName === 'api_free').toBe(true)
      }),
    )
  })

  test('usage names any paid plan developer', () => {
    fc.assert(
      fc.property(some, (held) => {
        expect(termsFor(held).usageName).toBe(held.length > 0 ? 'developer' : 'api_free')
      }),
    )
  })
})
