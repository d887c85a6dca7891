import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amountReader,
  perHourToPerMinute,
  perSecondToPerMinute,
  perOneToPerMillion,
  readDecimal,
} from './decimal.ts'

const amount = (...args: Parameters<typeof readDecimal>) => {
  const reading = readDecimal(...args)
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.amount
}

describe('a price is exact', () => {
  test.each([
    [2e-7, '0.2'], // * 1e6 in floats: 0.19999999999999998
    [3e-7, '0.3'],
    [1.1e-6, '1.1'],
    [0.00018, '180'],
    ['0.0000006000000000000001', '0.6'],
    [0.000000049999999999999996, '0.05'],
    [1e-15, '0.000000001'],
    [0, '0'],
    [-0, '0'],
    ['0.000', '0'],
  ])('%s per token is %s per million', (source, text) => {
    expect(amount(source, perOneToPerMillion)).toBe(text)
  })

  test('half is rounded to even, at 12 significant digits and then at 9 decimals', () => {
    expect(amount('1.000000000005')).toBe('1')
    expect(amount('0.0000000025')).toBe('0.000000002')
    expect(amount('0.0000000035')).toBe('0.000000004')
    expect(amount('123456.7890125')).toBe('123456.789012')
  })

  test('seconds and hours become minutes', () => {
    expect(amount(0.0001, perSecondToPerMinute)).toBe('0.006')
    expect(amount(0.111, perHourToPerMinute)).toBe('0.00185')
    expect(amount(0.1, perHourToPerMinute)).toBe('0.001666667')
  })
})

describe('unknown is not a price', () => {
  test.each([null, undefined, -1, '-1', '-1.0'])('%s is unknown', (source) => {
    expect(readDecimal(source, perOneToPerMillion)).toEqual({ amount: null })
  })

  test.each([
    [-2e-7, /negative/],
    ['-6.999906', /negative/],
    [Number.NaN, /not a number/],
    [Number.POSITIVE_INFINITY, /not a number/],
    ['', /not a number/],
    [' 5', /not a number/],
    ['0x10', /not a number/],
    ['1'.repeat(65), /not a number/],
    [1000, /too large/],
    ['1e999', /too large/],
    ['999.9999999999999', /too large/], // rounds up to the limit
  ])('%s is refused', (source, problem) => {
    expect(readDecimal(source, perOneToPerMillion)).toEqual({
      problem: expect.stringMatching(problem) as string,
    })
  })

  test('what rounds to 0 without being 0 is refused: it must not read as free', () => {
    expect(readDecimal(1e-16, perOneToPerMillion)).toEqual({ problem: 'is too small for a price: 1e-16' })
    expect(readDecimal('1e-999')).toEqual({ problem: 'is too small for a price: 1e-999' })
  })
})

describe('for any number', () => {
  const digits = fc.bigInt({ min: 1n, max: 10n ** 12n - 1n })

  test('a decimal of up to 12 digits survives the shift unchanged', () => {
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 9 }), (integer, places) => {
        const perMtok = new Decimal(integer.toString()).div(`1e${places}`)
        fc.pre(perMtok.lt(1e9))
        const perToken = perMtok.div(1e6)
        expect(amount(perToken.toNumber(), perOneToPerMillion)).toBe(perMtok.toFixed())
        expect(amount(perToken.toFixed(), perOneToPerMillion)).toBe(perMtok.toFixed())
      }),
    )
  })

  test('an amount is plain text that fits numeric(18,9), and reading it again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.double(),
        fc.constantFrom({}, perOneToPerMillion, perSecondToPerMinute, perHourToPerMinute),
        (source, scale) => {
          const reading = readDecimal(source, scale)
          if ('problem' in reading || reading.amount === null) return
          expect(reading.amount).toMatch(/^(?:0|[1-9]\d{0,8})(?:\.\d{0,8}[1-9])?$/)
          expect(readDecimal(reading.amount)).toEqual(reading)
        },
      ),
    )
  })

  test('only zero is read as 0', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, noDefaultInfinity: true, noNaN: true, minExcluded: true }),
        (source) => {
          expect(readDecimal(source)).not.toEqual({ amount: '0' })
        },
      ),
    )
  })
})

test('a row reads all its amounts and remembers each field that is wrong', () => {
  const amounts = amountReader()
  expect(amounts.read('input', 3e-6, perOneToPerMillion)).toBe('3')
  expect(amounts.read('output', -3)).toBeNull()
  expect(amounts.read('output', -3)).toBeNull() // read a second time, told once
  expect(amounts.read('cached', undefined)).toBeNull()
  expect(amounts.problems).toEqual(['output is negative: -3'])
})
