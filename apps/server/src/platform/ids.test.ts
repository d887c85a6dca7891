import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase62 } from '@ratecard/contract/api-key'
import { newId, randomBase62 } from './ids.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('randomBase62', () => {
  test('has the length asked for, in its alphabet', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), (length) => {
        expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
      }),
    )
  })

  test('each character is as likely as any other', () => {
    const size = 124_000
    const counts = new Map<string, number>()
    for (const character of randomBase62(size)) counts.set(character, (counts.get(character) ?? 0) + 1)
    const expected = size / 62
    const chiSquared = [...digits].reduce(
      (sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected,
      0,
    )
    // 61 degrees of freedom: a fair source passes 150 once in a hundred million runs; `byte % 62` gives 900.
    expect(chiSquared).toBeLessThan(150)
  })
})

describe('toBase62', () => {
  test('can be read back, is padded to its length and sorts like the number', () => {
    const crc = fc.integer({ min: 0, max: 0xff_ff_ff_ff })
    const read = (text: string) => [...text].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    fc.assert(
      fc.property(crc, crc, (a, b) => {
        const [first, second] = [toBase62(a, 6), toBase62(b, 6)]
        expect(first).toHaveLength(6)
        expect(read(first)).toBe(a)
        expect(first < second).toBe(a < b)
      }),
    )
  })

  test.each([
    [0, '000000'],
    [61, '00000z'],
    [62, '000010'],
    [62 ** 6 - 1, 'zzzzzz'],
  ])('%i is %s', (value, text) => {
    expect(toBase62(value, 6)).toBe(text)
  })
})

describe('newId', () => {
  test('says what it names, and never twice the same', () => {
    const ids = Array.from({ length: 2_000 }, () => newId('chg'))
    expect(new Set(ids).size).toBe(2_000)
    for (const id of ids) expect(id).toMatch(/^chg_[0-9A-Za-z]{20}$/)
  })
})
