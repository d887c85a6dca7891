import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limiter.ts'

function rateOf(perMinute: number) {
  const clock = { ms: 5_000 }
  return { clock, rate: new RateLimiter({ perMinute, nowMs: () => clock.ms }) }
}

test('allows a minute’s worth at once, then one after the other', () => {
  const { clock, rate } = rateOf(60)
  const first = Array.from({ length: 60 }, () => rate.take('a'))
  expect(first).toEqual(Array.from({ length: 60 }, () => 0))
  expect([rate.take('a'), rate.take('a')]).toEqual([1, 1])
  clock.ms += 999
  expect(rate.take('a')).toBe(1)
  clock.ms += 1
  expect([rate.take('a'), rate.take('a')]).toEqual([0, 1])
  clock.ms += 60_000
  expect(Array.from({ length: 61 }, () => rate.take('a')).filter((seconds) => seconds === 0)).toHaveLength(60)
})

test('says after how many seconds', () => {
  const { clock, rate } = rateOf(2)
  expect([rate.take('a'), rate.take('a'), rate.take('a')]).toEqual([0, 0, 30])
  clock.ms += 29_500
  expect(rate.take('a')).toBe(1)
})

test('is of each key, and forgets those that have paid', () => {
  const { clock, rate } = rateOf(1)
  for (let key = 0; key < 900; key += 1) expect(rate.take(`${key}`)).toBe(0)
  expect(rate.take('0')).toBe(60)
  clock.ms += 60_000
  for (let key = 1_000; key < 1_100; key += 1) rate.take(`${key}`)
  expect(rate.size).toBeLessThanOrEqual(100)
})

test('forgets the oldest rather than grow', () => {
  const rate = new RateLimiter({ perMinute: 1, keysMax: 1_500, nowMs: () => 0 })
  for (let key = 0; key < 10_000; key += 1) {
    expect(rate.take(`${key}`)).toBe(0)
    expect(rate.size).toBeLessThanOrEqual(1_500)
  }
  expect(rate.take('9999')).toBe(60)
})

test('a burst goes at once, then each in its turn, and what would wait too long is refused', () => {
  const clock = { ms: 1_000 }
  const rate = new RateLimiter({ perMinute: 6_000, burst: 4, nowMs: () => clock.ms })
  const waits = Array.from({ length: 8 }, () => rate.takeTurn('a', 25))
  expect(waits).toEqual([0, 0, 0, 0, 10, 20, null, null])
  clock.ms += 10
  // What was refused took no turn.
  expect([rate.takeTurn('a', 25), rate.takeTurn('b', 25)]).toEqual([20, 0])
  clock.ms += 8_000
  expect(rate.takeTurn('a', 25)).toBe(0)
})
