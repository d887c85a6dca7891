import { describe, expect, it, test } from 'vitest'
import { compareCosts, costOf, hoursOf, tokenRates, type CardRate } from '../src/cost.js'
import {
  addDecimals,
  compareDecimals,
  isDecimalText,
  isZero,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '../src/decimal.js'
import { conditionText, inReadingOrder, toStandard } from '../src/rate-words.js'

const rate = (values: Partial<CardRate>): CardRate => ({
  meter: 'input_tokens',
  unit: '1m_tokens',
  amount: '1',
  service_tier: null,
  variant: null,
  threshold: null,
  hours: null,
  ...values,
})

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

const gemini = { input_per_mtok: '1.25', output_per_mtok: '10', cached_input_per_mtok: '0.125' }
const card = [
  rate({ threshold: 200_000, amount: '2.5' }),
  rate({ meter: 'output_tokens', threshold: 200_000, amount: '15' }),
  rate({ service_tier: 'batch', amount: '0.625' }),
  rate({ meter: 'output_tokens', service_tier: 'batch', amount: '5' }),
  rate({ meter: 'cache_write_tokens', variant: '1h', amount: '99' }),
  rate({ variant: 'eu', amount: '99' }),
]

describe('the rates of a use', () => {
  it('are the standard ones', () => {
    const standard = { input: '1.25', output: '10', cached: '0.125', request: '0' }
    expect(tokenRates(gemini, card, { isBatch: false })).toEqual(standard)
    expect(tokenRates(gemini, card, { isBatch: false, promptTokens: 200_000 })).toEqual(standard)
  })

  it('are those of long prompts above the threshold', () => {
    const rates = tokenRates(gemini, card, { isBatch: false, promptTokens: 200_001 })
    expect(rates).toMatchObject({ input: '2.5', output: '15', cached: '0.125' })
    const steps = [...card, rate({ threshold: 1_000_000, amount: '4' })]
    expect(tokenRates(gemini, steps, { isBatch: false, promptTokens: 1_000_001 }).input).toBe('4')
    expect(tokenRates(gemini, steps, { isBatch: false, promptTokens: 999_999 }).input).toBe('2.5')
  })

  it('in a batch are stated ones alone: no discount is assumed', () => {
    expect(tokenRates(gemini, card, { isBatch: true })).toMatchObject({
      input: '0.625',
      output: '5',
      cached: null,
    })
    expect(tokenRates(gemini, [], { isBatch: true })).toMatchObject({ input: null, output: null })
  })

  it('are those of the hours asked for', () => {
    const byHour = [rate({ hours: '00:30-16:30', amount: '2.5' })]
    expect(tokenRates(gemini, byHour, { isBatch: false }).input).toBe('1.25')
    expect(tokenRates(gemini, byHour, { isBatch: false, hours: '00:30-16:30' }).input).toBe('2.5')
    expect(hoursOf(byHour, false)).toEqual(['00:30-16:30'])
    expect(hoursOf(byHour, true)).toEqual([])
  })
})

describe('a cost', () => {
  const rates = tokenRates(gemini, card, { isBatch: false })

  it('is exact', () => {
    expect(costOf(rates, { input: '100', output: '20', cached: '0' })).toBe('325')
    // 60 x 1.25 + 40 x 0.125 + 20 x 10
    expect(costOf(rates, { input: '100', output: '20', cached: '40' })).toBe('280')
    expect(costOf(rates, { input: '0.000001', output: '0', cached: '33.333333' })).toBe('0.00000087500000375')
  })

  it('has the price of each request', () => {
    const withFee = tokenRates(gemini, [rate({ meter: 'requests', unit: 'request', amount: '0.005' })], {
      isBatch: false,
    })
    expect(costOf(withFee, { input: '0', output: '0', cached: '0', requests: '1000' })).toBe('5')
    // No discount is stated.
    const fee = rate({ meter: 'requests', unit: 'request', amount: '0.005' })
    expect(tokenRates(gemini, [fee], { isBatch: true }).request).toBe('0.005')
  })

  it('is not known where a rate that it needs is not, and never 0', () => {
    expect(costOf({ ...rates, cached: null }, { input: '1', output: '1', cached: '50' })).toBeNull()
    expect(costOf({ ...rates, cached: null }, { input: '1', output: '0', cached: '0' })).toBe('1.25')
    expect(costOf({ ...rates, input: '0', output: '0' }, { input: '1', output: '1', cached: '0' })).toBe('0')
  })

  test('the cheapest comes first, the unknown last', () => {
    expect(['10', null, '9.5', '0'].sort(compareCosts)).toEqual(['0', '9.5', '10', null])
  })
})

test('a card is read from the standard rates on, in words', () => {
  const ordered = inReadingOrder([...card, rate({ meter: 'searches', unit: 'query' })])
  expect(ordered.map(conditionText)).toEqual([
    'standard',
    'above 200,000 input tokens',
    'above 200,000 input tokens',
    'batch',
    'batch',
    'eu',
    'kept for 1 hour',
  ])
  expect(toStandard(gemini, card[0]!)).toBe('× 2')
  expect(toStandard(gemini, rate({ meter: 'searches', unit: 'query' }))).toBe('')
})
