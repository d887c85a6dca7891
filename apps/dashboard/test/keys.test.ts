import { describe, expect, test } from 'vitest'
import { chooseExpiry, expiryText } from '../src/pages/keys/expiry.ts'
import { chooseGrid, scaleTop } from '../src/pages/usage/scale.ts'

const nowMs = Date.parse('2026-11-21T09:30:00Z')

describe('the end of a key', () => {
  test('is as the contract spells instants', () => {
    const at = { nowMs, lastDay: '2027-02-28' }
    expect(chooseExpiry('never', at)).toBeNull()
    expect(chooseExpiry('7', at)).toBe('2026-11-28T09:30:00.000000Z')
    expect(new Date(chooseExpiry('custom', at) ?? '')).toEqual(new Date(2027, 2, 1))
  })

  test.each([
    [-1, 'ended', true],
    [1_800_000, 'ends in 30 min', true],
    [3_600_000, 'ends in 60 min', true],
    [47 * 3_600_000, 'ends in 47 h', true],
    [3 * 86_400_000, 'ends in 3 days', true],
    [90 * 86_400_000, 'until Feb 19, 2027', false],
  ])('in %d ms is said as %s', (ms, text, isSoon) => {
    expect(expiryText(new Date(nowMs + ms).toISOString(), nowMs)).toEqual({ text, isSoon })
  })
})

test.each([0, 1, 4, 5, 9, 10, 38, 99, 100, 1_024, 1_900, 1_500_000])(
  'a chart of %d ends at a line above it',
  (max) => {
    const lines = chooseGrid(scaleTop(max))
    expect(lines.at(-1)).toBe(scaleTop(max))
    expect(scaleTop(max)).toBeGreaterThanOrEqual(max)
    expect(lines.length).toBeGreaterThanOrEqual(2)
    expect(lines.length).toBeLessThanOrEqual(7)
  },
)
