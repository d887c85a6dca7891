import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryAfterMs } from '../../platform/retry-after.ts'
import { nextDelayMs, standardPolicy, type AttemptOutcome } from './retry-policy.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const now = new Date('2026-01-02T03:04:05.678Z')

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const failure: AttemptOutcome = { status: 500, timedOut: false, retryAfter: null }
const overloads: AttemptOutcome[] = [
  ...[429, 502, 503, 504].map((status) => ({ status, timedOut: false, retryAfter: null })),
  { status: null, timedOut: true, retryAfter: null },
]

function delayOf(attempt: number, outcome: AttemptOutcome, policy = standardPolicy, chance = 0.5) {
  return nextDelayMs(policy, { attempt, outcome, now, random: chance })
}

describe('the delay before the next attempt', () => {
  test('is the standard schedule, ten attempts in all', () => {
    const delays = Array.from({ length: 10 }, (_, index) => delayOf(index + 1, failure))
    expect(delays).toEqual([
      ...[5 * second, 5 * minute, 30 * minute],
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
      null,
    ])
    expect(standardPolicy.scheduleMs[0]).toBe(0)
  })

  test('is a fifth more or less than scheduled, never beyond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), random, (attempt, chance) => {
        const scheduled = standardPolicy.scheduleMs[attempt] ?? Number.NaN
        const delay = delayOf(attempt, failure, standardPolicy, chance)
        expect(delay).toBeGreaterThanOrEqual(0.8 * scheduled - 1)
        expect(delay).toBeLessThanOrEqual(1.2 * scheduled + 1)
      }),
    )
    expect(delayOf(1, failure, standardPolicy, 0)).toBe(4 * second)
    expect(delayOf(1, failure, standardPolicy, 1)).toBe(6 * second)
  })

  test('is a minute at least after "too much" and after a time-out, on the standard schedule', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        random,
        fc.constantFrom(...overloads),
        (attempt, chance, outcome) => {
          expect(delayOf(attempt, outcome, standardPolicy, chance)).toBeGreaterThanOrEqual(minute)
        },
      ),
    )
    for (const status of [400, 404, 500, 501]) {
      expect(delayOf(1, { ...failure, status }, standardPolicy, 0)).toBe(4 * second)
    }
  })

  test('is taken literally from a schedule that an operator set', () => {
    const policy = { scheduleMs: [0, 100, 200], overloadDelayMsMin: 0 }
    for (const outcome of [failure, ...overloads]) {
      expect([1, 2, 3].map((attempt) => delayOf(attempt, outcome, policy))).toEqual([100, 200, null])
    }
  })

  test('there is none after the last attempt, whatever the answer asks for', () => {
    for (const outcome of [failure, ...overloads]) {
      expect(delayOf(10, { ...outcome, retryAfter: '60' })).toBeNull()
      expect(delayOf(99, outcome)).toBeNull()
    }
  })
})

describe('Retry-After', () => {
  const anyRetryAfter = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.bigInt().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )

  test('lengthens the delay up to twice as long or an hour, and never shortens it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        random,
        fc.constantFrom(failure, ...overloads),
        anyRetryAfter,
        (attempt, chance, outcome, retryAfter) => {
          const own = delayOf(attempt, outcome, standardPolicy, chance) ?? Number.NaN
          const delay = delayOf(attempt, { ...outcome, retryAfter }, standardPolicy, chance)
          expect(delay).toBeGreaterThanOrEqual(own - 1)
          expect(delay).toBeLessThanOrEqual(Math.max(2 * own, hour) + 1)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['120', 2 * minute],
    ['1', 5 * second],
    ['999999', hour],
    ['Fri, 02 Jan 2026 03:14:05 GMT', 10 * minute - 678],
    ['Fri, 31 Dec 9999 23:59:59 GMT', hour],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 5 * second],
  ])('%s after the first attempt', (retryAfter, expected) => {
    expect(delayOf(1, { status: 500, timedOut: false, retryAfter })).toBe(expected)
  })

  test.each([
    ['0', 0],
    [' 7 ', 7 * second],
    ['9999999999', 9_999_999_999 * second],
    ['Fri, 02 Jan 2026 03:04:06 GMT', 322],
    ['Fri, 02 Jan 2026 03:04:05 GMT', 0],
  ])('%j is understood', (value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected)
  })

  test.each([
    null,
    '',
    ' ',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x10',
    '١٢',
    '12, 13',
    'soon',
    'Infinity',
    'NaN',
    '99999999999',
    '2026-01-02T04:00:00Z',
    'Fri, 99 Jan 2026 03:04:06 GMT',
    'GMT',
  ])('%j makes no sense and counts as absent', (value) => {
    expect(retryAfterMs(value, now)).toBeNull()
  })
})
