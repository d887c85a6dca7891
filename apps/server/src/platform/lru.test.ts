import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lru } from './lru.ts'

describe('an Lru', () => {
  test('forgets what was asked for longest ago, and a look does not count', () => {
    const lru = new Lru<number>(3)
    for (const [index, key] of ['a', 'b', 'c'].entries()) lru.set(key, index, 1)
    lru.get('a')
    lru.peek('b')
    lru.set('d', 3, 1)
    expect(['a', 'b', 'c', 'd'].map((key) => lru.peek(key))).toEqual([0, undefined, 2, 3])
  })

  test('does not take what costs more than all may, nor keep its predecessor', () => {
    const lru = new Lru<string>(10)
    lru.set('a', 'old', 10)
    lru.set('a', 'new', 11)
    expect([lru.get('a'), lru.cost, lru.size]).toEqual([undefined, 0, 0])
  })

  test('never costs more than it may, and tells what it holds', () => {
    const steps = fc.array(
      fc.record({
        key: fc.constantFrom(...'abcdefgh'),
        cost: fc.integer({ min: 1, max: 60 }),
        act: fc.constantFrom('set', 'get', 'delete'),
      }),
      { maxLength: 200 },
    )
    fc.assert(
      fc.property(steps, (taken) => {
        const lru = new Lru<number>(100)
        for (const { key, cost, act } of taken) {
          if (act === 'set') lru.set(key, cost, cost)
          else if (act === 'get') lru.get(key)
          else lru.delete(key)
          const held = [...'abcdefgh'].flatMap((name) => lru.peek(name) ?? [])
          expect(lru.cost).toBe(held.reduce((sum, value) => sum + value, 0))
          expect(lru.size).toBe(held.length)
          expect(lru.cost).toBeLessThanOrEqual(100)
          if (act === 'set') expect(lru.peek(key)).toBe(cost)
        }
      }),
    )
  })
})
