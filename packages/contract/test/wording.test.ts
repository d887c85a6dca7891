import { describe, expect, test } from 'vitest'
import {
  amountFields,
  capitalize,
  countDecimals,
  formatAge,
  formatAmount,
  formatAmountUnit,
  formatCondition,
  formatCount,
  formatDistance,
  formatFilter,
  formatInstant,
  formatMove,
  formatOtherAmounts,
  formatRatio,
  formatUnit,
  listAmounts,
  nameAmount,
  nameField,
  withoutDust,
  nameMeter,
  nameModality,
  pluralize,
  sortRates,
  writeOut,
  type CardRate,
} from '../src/wording.js'

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

describe('an amount', () => {
  test.each([
    [null, 'USD', 'unknown'],
    ['0', 'USD', 'free'],
    ['0.000', null, 'free'],
    ['1.5', 'USD', '$1.50'],
    [1.5, 'USD', '$1.50'],
    ['1234567.125', 'USD', '$1,234,567.125'],
    ['1.5', 'CNY', 'CNY\u00a01.50'],
    ['1.5', 'credits', '1.50 credits'],
    ['1.5', null, '1.50'],
    // What a program's division left or took.
    ['0.30000000000000004', 'USD', '$0.30'],
    ['2.99999', 'USD', '$3.00'],
    [0.1 + 0.2, 'USD', '$0.30'],
    ['1000.5', 'USD', '$1,000.50'],
    ['0.13333333', 'USD', '$0.13333333'],
  ])('%s of %s is %s', (amount, currency, text) => {
    expect(formatAmount(amount, currency)).toBe(text)
  })

  test.each([
    [15.00002, 15],
    [0.700000007, 0.7],
    [0.29999999999999998, 0.3],
    [1.0000001e-7, 1e-7],
    // These are prices.
    [0.0375, 0.0375],
    [1.234567, 1.234567],
    [0.1999, 0.1999],
    [0.13333333, 0.13333333],
    [123456.5, 123456.5],
    [0, 0],
  ])('%d is shown as %d among others', (amount, shown) => {
    expect(withoutDust(amount)).toBe(shown)
  })

  test('has all its digits', () => {
    expect(formatAmount('0.000000001', 'USD')).toBe('$0.000000001')
    expect(formatAmount(1e-9, 'USD')).toBe('$0.000000001')
    expect(formatAmount('1e-6', 'USD')).toBe('$0.000001')
    expect(formatAmount('99999999999999999.123456789', 'USD')).toBe('$99,999,999,999,999,999.123456789')
  })

  test('stands in a column that is as wide as its most exact amount', () => {
    expect(countDecimals(['1', null, '0.075', undefined])).toBe(3)
    expect(countDecimals([null, '20'])).toBe(2)
    expect(countDecimals(['0.0000000000001'])).toBe(9)
  })

  test('has a name and a unit', () => {
    expect(amountFields.map((field) => `${nameAmount(field)} ${formatAmountUnit(field)}`)).toEqual([
      'Input per 1M tokens',
      'Output per 1M tokens',
      'Cached input per 1M tokens',
      'Image per image',
      'Audio per minute',
      'Video per second',
    ])
  })

  test('that is not paid by the token says what it is per', () => {
    const nothing = Object.fromEntries(amountFields.map((field) => [field, null])) as Record<
      (typeof amountFields)[number],
      null
    >
    const usual = { ...nothing, currency: 'USD', unit: null, rates: 0 }
    const words = (price: Partial<Parameters<typeof formatOtherAmounts>[0]>) =>
      formatOtherAmounts({ ...usual, ...price })
    expect(words({ image_per_unit: '2', audio_per_min: 0.5 })).toBe('$2.00 per image, $0.50 per minute')
    expect(words({ unit: '1m_characters' })).toBe('no price is known per 1M characters')
    expect(words({ unit: 'page', rates: 2 })).toBe('2 rates per page on its rate card')
    expect(words({})).toBe('no price is known')
    expect(words({ input_per_mtok: '1' })).toBe('')
    expect(listAmounts(['input_per_mtok', 'video_per_sec'], { ...nothing, input_per_mtok: '1' }, 'USD')).toBe(
      'Input $1.00, Video unknown',
    )
  })
})

test('a count has its noun', () => {
  expect([0, 1, 2, 1_103].map((count) => formatCount(count, 'price'))).toEqual([
    '0 prices',
    '1 price',
    '2 prices',
    '1,103 prices',
  ])
  expect(formatCount(1, 'query', 'queries')).toBe('1 query')
  expect([1, 2].map((count) => pluralize(count, 'it', 'them'))).toEqual(['it', 'them'])
})

test.each([
  ['1', '1.25', '+25\u00a0%'],
  ['2', '1', '−50\u00a0%'],
  ['3', '2', '−33.3\u00a0%'],
  ['1000', '1000.44', '+0.044\u00a0%'],
  ['1', '13.5', '+1,250\u00a0%'],
  ['1', '1', '0\u00a0%'],
  ['0', '1', null],
  [null, '1', null],
  ['1', null, null],
  ['2026-01-01', '2026-02-01', null],
])('from %s to %s is %s', (before, after, text) => {
  expect(formatMove(before, after)).toBe(text)
})

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_199_999, '119 min'],
  [7_200_000, '2 h'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 days'],
  [10.9 * 86_400_000, '10 days'],
])('%d ms are %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text)
})

test.each([
  [-2, '2 days ago'],
  [-1, '1 day ago'],
  [0, 'today'],
  [-0, 'today'],
  [1, 'tomorrow'],
  [30, 'in 30 days'],
])('a day that is %d days away is %s', (days, text) => {
  expect(formatDistance(days)).toBe(text)
})

test('an instant is told to the minute, in UTC', () => {
  expect(formatInstant('2026-11-30T06:00:59.123456Z')).toBe('2026-11-30 06:00 UTC')
})

test('names are written out', () => {
  expect(['price_cut', '1m_tokens', 'input_dbus', 'gb_day'].map(writeOut)).toEqual([
    'price cut',
    '1M tokens',
    'input DBUs',
    'GB day',
  ])
  expect(capitalize('price_cut')).toBe('Price cut')
  expect([formatUnit('1m_tokens'), formatUnit('multiplier')]).toEqual(['per 1M tokens', 'times'])
  expect(['cache_write_tokens', 'ocr_pages', 'constructor'].map(nameMeter)).toEqual([
    'Cache write',
    'OCR pages',
    'Constructor',
  ])
  expect(['llm', 'ocr', null].map(nameModality)).toEqual(['Text', 'OCR', 'Unknown'])
  expect(['cached_input_per_mtok', 'source_url', 'retires_on'].map(nameField)).toEqual([
    'Cached input',
    'Source link',
    'Retires on',
  ])
})

test('a filter says what it leaves through; one that leaves out nothing says nothing', () => {
  expect(formatFilter({})).toBeNull()
  expect(formatFilter({ vendors: [], products: [], min_severity: 1 })).toBeNull()
  expect(formatFilter({ vendors: ['acme', 'zeta'], products: ['acme/alpha'], min_severity: 4 })).toBe(
    'vendor acme or zeta, product acme/alpha, severity 4 or more',
  )
  expect(formatFilter({ min_severity: 5 })).toBe('severity 5')
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

test('a card is read from the standard rates on, in words', () => {
  const ordered = sortRates([...card, rate({ meter: 'searches', unit: 'query' })])
  expect(ordered.map(formatCondition)).toEqual([
    'standard',
    'above 200,000 input tokens',
    'above 200,000 input tokens',
    'batch',
    'batch',
    'eu',
    'kept for 1 hour',
  ])
  expect(formatRatio(gemini, card[0]!)).toBe('× 2')
  expect(formatRatio(gemini, rate({ meter: 'searches', unit: 'query' }))).toBe('')
})
