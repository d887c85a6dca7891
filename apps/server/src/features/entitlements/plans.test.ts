import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paidPlans, planTable, termsFor } from './plans.ts'

const plans = planTable({
  dailyLimits: { scale: 100_000, team: 100_000, enterprise: 1_000_000 },
  keysMaxFree: 2,
  keysMaxPaid: 10,
})
const some = fc.subarray([...paidPlans])

describe('the plan table', () => {
  test('has the numbers of the interface for free and developer, whatever an installation sets', () => {
    const other = planTable({
      dailyLimits: { scale: 1, team: 1, enterprise: 1 },
      keysMaxFree: 9,
      keysMaxPaid: 99,
    })
    for (const table of [plans, other]) {
      expect(table.free).toMatchObject({ dailyLimit: 100, activeWebhooksMax: 0, usageName: 'api_free' })
      expect(table.developer).toMatchObject({
        dailyLimit: 10_000,
        activeWebhooksMax: 2,
        usageName: 'developer',
      })
    }
    expect(other.scale.dailyLimit).toBe(1)
    expect(other.free.keysMax).toBe(9)
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
    expect(termsFor(plans, [])).toEqual(plans.free)
  })

  test('one plan has its own terms', () => {
    for (const plan of paidPlans) expect(termsFor(plans, [plan])).toEqual(plans[plan])
  })

  test('of several the most generous term of each counts', () => {
    const table = planTable({
      dailyLimits: { scale: 500, team: 20_000, enterprise: 3_000 },
      keysMaxFree: 12,
      keysMaxPaid: 10,
    })
    expect(termsFor(table, ['developer', 'scale'])).toMatchObject({
      dailyLimit: 10_000,
      activeWebhooksMax: Infinity,
      keysMax: 12,
    })
    expect(termsFor(table, ['developer', 'team']).dailyLimit).toBe(20_000)
  })

  test('neither order nor repetition matters, and one more plan never takes anything away', () => {
    fc.assert(
      fc.property(some, some, (held, more) => {
        const terms = termsFor(plans, held)
        expect(termsFor(plans, [...held].reverse())).toEqual(terms)
        expect(termsFor(plans, [...held, ...held])).toEqual(terms)
        const both = termsFor(plans, [...held, ...more])
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
        expect(termsFor(plans, held).usageName).toBe(held.length > 0 ? 'developer' : 'api_free')
      }),
    )
  })
})
