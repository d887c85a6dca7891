import { describe, expect, it } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  isDecimalText,
  isZero,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '../src/decimal.js'

describe('decimals', () => {
  it('are added and multiplied without a rest', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3')
    expect(addDecimals('999999999999.999999999', '0.000000001')).toBe('1000000000000')
    expect(multiplyDecimals('0.000000001', '123456789.5')).toBe('0.1234567895')
    expect(multiplyDecimals('1e-7', '3')).toBe('0.0000003')
    expect(multiplyDecimals('1e21', '2')).toBe('2000000000000000000000')
    expect(subtractDecimals('1', '0.1')).toBe('0.9')
    expect(() => subtractDecimals('0.1', '1')).toThrow(RangeError)
    expect(compareDecimals('0.10', '0.1')).toBe(0)
    expect(compareDecimals('2', '10')).toBe(-1)
    expect(isZero('0.000')).toBe(true)
  })

  it.each([
    ['1.005', 2, '1.01'],
    ['1.004999', 2, '1.00'],
    ['0.5', 2, '0.50'],
    ['12', 2, '12.00'],
    ['0.5', 0, '1'],
    ['9.999', 2, '10.00'],
  ])('%s with %i decimals is %s', (text, decimals, rounded) => {
    expect(roundDecimal(text, decimals)).toBe(rounded)
  })

  it.each(['', '-1', '1,5', '1e9999', 'NaN', 'Infinity', '0x10', ' 1', '.5'])('“%s” is none', (text) => {
    expect(isDecimalText(text)).toBe(false)
    expect(() => addDecimals(text, '1')).toThrow(RangeError)
  })
})
