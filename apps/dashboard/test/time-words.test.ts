import { describe, expect, test } from 'vitest'
import { relativeText } from '../src/components/time-words.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

describe('relativeText', () => {
  test.each([
    ['2026-11-23T11:59:31.000000Z', 'just now'],
    ['2026-11-23T12:00:40.000000Z', 'in a moment'],
    ['2026-11-23T11:57:00.000000Z', '3 min ago'],
    ['2026-11-23T14:30:00.000000Z', 'in 2 h'],
    ['2026-11-22T11:00:00.000000Z', '25 h ago'],
    ['2026-11-28T12:00:00.000000Z', 'in 5 days'],
    ['2026-10-20T12:00:00.000000Z', 'Oct 20'],
    ['2025-02-08T12:00:00.000000Z', 'Feb 8, 2025'],
  ])('%s is %s', (value, text) => {
    expect(relativeText(value, now)).toBe(text)
  })
})
