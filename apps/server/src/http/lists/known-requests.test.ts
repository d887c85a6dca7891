import { describe, expect, test } from 'vitest'
import { KnownRequests } from './known-requests.ts'

const bytesMax = 8 * 1_024 * 1_024
const everyPlan = 31
const paidPlans = 30

describe('Known requests', () => {
  test('are bounded, however many targets somebody makes up', () => {
    const known = new KnownRequests()
    for (let n = 0; n < 100_000; n += 1) {
      const target = `/v1/prices?vendor=${n}${'x'.repeat(n % 2_000)}`
      known.remember(target, { operation: 'listPrices', key: target, access: 'full' })
    }
    expect(known.bytes).toBeLessThanOrEqual(bytesMax)
    expect(known.find('/v1/prices?vendor=0')).toBeUndefined()
  })

  test('of prices are answered on every plan, those of changes where changes are shown in full', () => {
    const known = new KnownRequests()
    known.remember('/p', { operation: 'listPrices', key: 'p', access: 'summary' })
    known.remember('/c', { operation: 'listChanges', key: 'c', access: 'full' })
    expect(known.find('/p')).toMatchObject({ plans: everyPlan, endpoint: 'prices' })
    expect(known.find('/c')).toMatchObject({ plans: paidPlans, endpoint: 'changes' })
  })

  test('are none of summaries: who has a better plan by now must not get one', () => {
    const known = new KnownRequests()
    known.remember('/c', { operation: 'listChanges', key: 'c', access: 'summary' })
    expect(known.find('/c')).toBeUndefined()
  })
})
