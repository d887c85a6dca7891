import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findAudiences, buildMatcher, noFilter, toFilter, type WebhookFilter } from './filter.ts'

const vendors = ['openai', 'anthropic', 'google']
const products = ['openai/a', 'openai/b', 'anthropic/a', 'google/a']
const change = fc.record({
  vendor: fc.constantFrom(...vendors),
  product: fc.constantFrom(...products),
  severity: fc.integer({ min: 1, max: 5 }),
})
const filter: fc.Arbitrary<WebhookFilter> = fc.record({
  vendors: fc.subarray([...vendors, 'unheard-of']),
  products: fc.subarray([...products, 'unheard/of']),
  min_severity: fc.integer({ min: 1, max: 5 }),
})

describe('a filter', () => {
  test('lets through what fits all that is set, and all where nothing is', () => {
    fc.assert(
      fc.property(fc.array(change), filter, (changes, { vendors, products, min_severity }) => {
        const through = (part: Partial<WebhookFilter>) =>
          new Set(changes.filter(buildMatcher(toFilter(part))))
        const [ofVendors, ofProducts, severe] = [
          through({ vendors }),
          through({ products }),
          through({ min_severity }),
        ]
        expect(through({ vendors, products, min_severity })).toEqual(
          ofVendors.intersection(ofProducts).intersection(severe),
        )
        expect(through(noFilter)).toEqual(new Set(changes))
      }),
    )
  })

  test('by all vendors, by all products, or by all severities in turn is told of everything, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const parts = (filters: Partial<WebhookFilter>[]) => {
          const groups = filters.map((wanted, target) => ({ filter: toFilter(wanted), targets: [target] }))
          return findAudiences(groups, changes).flatMap(({ places, targets }) =>
            targets.flatMap(() => places),
          )
        }
        const everything = changes.map((_, place) => place)
        const inOrder = (places: number[]) => places.sort((one, other) => one - other)
        expect(inOrder(parts(vendors.map((vendor) => ({ vendors: [vendor] }))))).toEqual(everything)
        expect(inOrder(parts(products.map((product) => ({ products: [product] }))))).toEqual(everything)
        const bySeverity = parts([1, 2, 3, 4, 5].map((min_severity) => ({ min_severity })))
        expect(inOrder([...new Set(bySeverity)])).toEqual(everything)
      }),
    )
  })

  test('many subscriptions: each is in one audience or in none, with what its filter lets through, in order', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(filter), (changes, filters) => {
        const audiences = findAudiences(
          filters.map((wanted, target) => ({ filter: wanted, targets: [target] })),
          changes,
        )
        for (const [target, wanted] of filters.entries()) {
          const matches = buildMatcher(wanted)
          const expected = changes.flatMap((item, place) => (matches(item) ? place : []))
          const own = audiences.filter(({ targets }) => targets.includes(target))
          expect(own.map(({ places }) => places)).toEqual(expected.length === 0 ? [] : [expected])
        }
        const keys = audiences.map(({ places }) => places.join())
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  test('is stored in one form', () => {
    expect(toFilter({ vendors: ['openai', 'anthropic', 'openai'], min_severity: 3 })).toEqual({
      vendors: ['anthropic', 'openai'],
      products: [],
      min_severity: 3,
    })
  })

  test.each<[RegExp, Partial<WebhookFilter>]>([
    [/at most 20 vendors; this one names 21/, { vendors: Array.from({ length: 21 }, (_, n) => `v${n}`) }],
    [/at most 50 products/, { products: Array.from({ length: 51 }, (_, n) => `p/${n}`) }],
    [/empty name/, { vendors: [' '] }],
    [/at most 200 characters/, { products: ['x'.repeat(201)] }],
    [/control characters/, { vendors: ['a\nb'] }],
    [/control characters/, { vendors: ['\ud800'] }],
    [/from 1 to 5/, { min_severity: 6 }],
    [/from 1 to 5/, { min_severity: 2.5 }],
  ])('is refused with a sentence: %s', (sentence, wanted) => {
    expect(() => toFilter(wanted)).toThrow(sentence)
  })
})
