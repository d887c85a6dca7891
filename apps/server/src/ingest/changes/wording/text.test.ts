import { describe, expect, test } from 'vitest'
import { Decimal } from 'decimal.js'
import { boundedText, clip, listText, percentText } from './text.ts'

describe('in texts', () => {
  test.each([
    [0.5, '+50 %'],
    [-0.8, '−80 %'],
    [0.123, '+12 %'],
    [0.0567, '+5.7 %'],
    [0.0004, '+0.04 %'],
    [0.00004, 'up less than 0.01 %'],
    [-0.00004, 'down less than 0.01 %'],
    [11, '+1,100 %'],
    [-0.999, '−99.9 %'],
    [-0.9999999, '−99.9 %'],
    [-1, '−100 %'],
    [Infinity, 'from free'],
  ])('a share of %d reads %s', (share, expected) => {
    expect(percentText(new Decimal(share))).toBe(expected)
  })

  test('lists read as people write them', () => {
    expect([0, 1, 2, 3, 4, 5].map((n) => listText(['a', 'b', 'c', 'd', 'e'].slice(0, n), 3))).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
      'a, b, c and 1 more',
      'a, b, c and 2 more',
    ])
  })

  test('no character is cut in half, and none is kept that PostgreSQL refuses', () => {
    expect(clip('abc', 3)).toBe('abc')
    expect(clip('abcd', 3)).toBe('ab…')
    expect(clip('a😀😀', 4)).toBe('a😀…')
    expect(clip('a😀😀', 3)).toBe('a…')
    expect(boundedText(' a\0b\n\nc\ud83d ', 20)).toBe('a\u{fffd}b c\u{fffd}')
  })
})
