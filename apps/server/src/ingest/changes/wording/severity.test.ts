import { describe, expect, test } from 'vitest'
import {
  draft,
  evidence,
  moved,
  price,
  rate,
  recarded,
  retiring,
  state,
  wordingContext,
} from '../../../../test/support/drafts.ts'
import type { PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { describeImpact } from './impact.ts'
import { rateSeverity } from './severity.ts'

const context = wordingContext()
const severity = (fields: Partial<ChangeDraft>) => rateSeverity(draft({ verified: true, ...fields }), context)

function priceMove(before: Partial<PriceRecord>, after: Partial<PriceRecord>): Partial<ChangeDraft> {
  return { category: 'price_rise', rows: [moved('acme:alpha-2', before, after)] }
}

describe('the severity of a price that moves', () => {
  test.each<[string, string, number]>([
    ['1', '2', 5],
    ['1', '1.999', 4],
    ['1', '1.25', 4],
    ['1', '1.249', 3],
    // 0.11 / 0.1 is 1.0999999999999999 in binary.
    ['0.1', '0.11', 3],
    ['1', '1.099', 2],
    ['1', '1.01', 2],
    ['1', '1.009', 1],
    // Rounding: 15 and 15.00002 are one price in two lists.
    ['1', '1.005', 1],
    ['15', '15.00002', 1],
    ['0', '0.1', 5],
    ['1', '0.75', 3],
    ['1', '0', 3],
    ['1', '0.751', 2],
    ['1', '0.9', 2],
    ['1', '0.901', 1],
  ])('from %s to %s is %i', (before, after, expected) => {
    expect(severity(priceMove({ input_per_mtok: before }, { input_per_mtok: after }))).toBe(expected)
  })

  test.each([
    'input_per_mtok',
    'output_per_mtok',
    'image_per_unit',
    'audio_per_min',
    'video_per_sec',
  ] as const)('counts in full for %s', (column) => {
    expect(severity(priceMove({ [column]: '1' }, { [column]: '2' }))).toBe(5)
  })

  test('of cached input alone is at most 2, and does not cap the others', () => {
    const cached = { cached_input_per_mtok: '1', input_per_mtok: '1' }
    expect(severity(priceMove(cached, { ...cached, cached_input_per_mtok: '9' }))).toBe(2)
    expect(severity(priceMove(cached, { cached_input_per_mtok: '9', input_per_mtok: '1.3' }))).toBe(4)
  })

  test('is 2 for an amount that appears or goes', () => {
    const both = { input_per_mtok: '1', image_per_unit: '1' }
    expect(severity(priceMove({ input_per_mtok: '1' }, both))).toBe(2)
    expect(severity(priceMove(both, { input_per_mtok: '1' }))).toBe(2)
    expect(severity({ ...priceMove({ input_per_mtok: '1' }, both), category: 'metadata' })).toBe(2)
  })

  test('is at most 4 by the word of one source, and at most 3 while another denies it', () => {
    const rise = priceMove({ input_per_mtok: '1' }, { input_per_mtok: '3' })
    expect(severity({ ...rise, verified: false })).toBe(4)
    const denied = { ...evidence('acme:alpha-2', 'litellm'), field: 'input_per_mtok' as const, amount: '1' }
    expect(severity({ ...rise, verified: false, evidence: [denied] })).toBe(3)
    expect(severity({ ...rise, evidence: [denied] })).toBe(5)
  })

  test('is that of the worst row', () => {
    const rows = [
      moved('acme:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '1.02' }),
      moved('other:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '1.3' }),
    ]
    expect(severity({ rows })).toBe(4)
  })

  test('is the same ahead of the day, and at most 3 when it is taken back', () => {
    const rise = priceMove({ input_per_mtok: '1' }, { input_per_mtok: '2' })
    expect(severity({ ...rise, status: 'announced', effectiveOn: '2026-09-01' })).toBe(5)
    expect(severity({ ...rise, status: 'withdrawn', effectiveOn: '2026-09-01' })).toBe(3)
    const small = priceMove({ input_per_mtok: '1' }, { input_per_mtok: '1.05' })
    expect(severity({ ...small, status: 'withdrawn' })).toBe(2)
  })

  test('is not read off amounts in two currencies', () => {
    expect(
      severity(priceMove({ input_per_mtok: '1', currency: 'USD' }, { input_per_mtok: '7', currency: 'CNY' })),
    ).toBe(1)
  })
})

test.each(['correction', 'metadata', 'model_added'] as const)('a %s is of severity 1', (category) => {
  const row = moved('acme:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '9000' })
  const rows = [category === 'model_added' ? { ...row, before: null } : row]
  expect(severity({ category, rows })).toBe(1)
})

describe('the severity of a rate card that moves', () => {
  const tiers = (before: Parameters<typeof recarded>[1], after: Parameters<typeof recarded>[1]) =>
    severity({ category: 'tier_change', rows: [recarded('acme:alpha-2', before, after)] })
  const base = rate({ service_tier: 'batch', amount: '1' })

  test('is at most 3', () => {
    expect(tiers([base], [{ ...base, amount: '7.9' }])).toBe(3)
  })
  test('is 1 for a mistake of the unit, and for what is mended', () => {
    expect(tiers([base], [{ ...base, amount: '1000' }])).toBe(1)
    expect(tiers([{ ...base, amount: '1000' }], [base])).toBe(1)
  })
  test('is 3 for a new long-context price and 2 for any other new entry', () => {
    expect(tiers([base], [base, rate({ threshold: 200_000 })])).toBe(3)
    expect(tiers([], [base])).toBe(2)
  })
  test('is 2 for another entry above a number of tokens that was known', () => {
    const long = rate({ threshold: 200_000 })
    expect(tiers([long], [long, rate({ threshold: 200_000, meter: 'output_tokens' })])).toBe(2)
  })
  test('is at most 2 for what is read from or written to a cache', () => {
    const cached = rate({ meter: 'cache_write_tokens', amount: '1' })
    expect(tiers([cached], [{ ...cached, amount: '7.9' }])).toBe(2)
  })
})

describe('the severity of a retirement', () => {
  test.each<[string | null, string | null, number, string]>([
    [null, '2026-08-02', 5, 'today'],
    [null, '2026-09-01', 5, 'in 30 days'],
    [null, '2026-09-02', 4, 'in 31 days'],
    [null, '2026-10-31', 4, 'in 90 days'],
    [null, '2026-11-01', 3, 'in 91 days'],
    [null, '2026-08-01', 2, 'yesterday'],
    [null, '2026-07-03', 2, '30 days ago'],
    [null, '2026-07-02', 1, '31 days ago'],
    ['2026-12-01', '2026-08-20', 5, 'brought forward'],
    ['2026-08-10', '2026-08-20', 2, 'put off'],
    ['2026-08-10', null, 1, 'called off'],
  ])('from %s to %s is %i: %s', (was, is, expected) => {
    expect(severity({ category: 'deprecation', rows: [retiring('acme:alpha-2', was, is)] })).toBe(expected)
  })
})

describe('the severity and the impact of a removal', () => {
  function removed(
    id: string,
    {
      retires_on = null,
      vendor = 'anthropic',
      sources = ['litellm', 'portkey'],
      input_per_mtok = '1',
    }: Partial<{
      retires_on: string | null
      vendor: string
      sources: string[]
      input_per_mtok: string | null
    }> = {},
    prices: PriceRecord[] = [],
  ) {
    const before = state(price(id, { vendor, input_per_mtok }), { retires_on })
    const rows = [{ resource_id: id, before, after: null }]
    const told = sources.map((source) => evidence(id, source))
    const change = draft({ category: 'model_removed', rows, evidence: told })
    const all = wordingContext({ prices })
    return [rateSeverity(change, all), describeImpact(change, all).impact_reliability]
  }

  test('by its maker without notice are the highest, by the word of two sources', () => {
    expect(removed('anthropic:alpha-2')).toEqual([5, 100])
    expect(removed('anthropic:alpha-2', { retires_on: '2026-08-03' })).toEqual([5, 100])
    expect(removed('anthropic:alpha-2', { sources: ['own-csv'] })).toEqual([5, 100])
    expect(removed('anthropic:alpha-2', { sources: ['litellm'] })).toEqual([3, 60])
  })
  test('on the day that was given are low, and long after it the lowest', () => {
    expect(removed('anthropic:alpha-2', { retires_on: '2026-08-02' })).toEqual([2, 20])
    expect(removed('openrouter:alpha-2', { retires_on: '2026-07-03' })).toEqual([2, 20])
    expect(removed('openrouter:alpha-2', { retires_on: '2026-07-02' })).toEqual([1, 0])
  })
  test('by a cloud are in between, by who else resells are no alert', () => {
    expect(removed('bedrock:alpha-2')).toEqual([3, 60])
    expect(removed('openrouter:alpha-2')).toEqual([2, 40])
    expect(removed('constructor:alpha-2')).toEqual([2, 40])
  })
  test('of one name of several are in between, of one platform of several are not', () => {
    expect(removed('anthropic:alpha-2-2026', {}, [price('anthropic:alpha-2')])).toEqual([3, 60])
    expect(removed('anthropic:alpha-2-2026', {}, [price('bedrock:alpha-2')])).toEqual([5, 100])
    expect(removed('anthropic:alpha-2', {}, [price('anthropic:alpha-2')])).toEqual([5, 100])
    expect(removed('anthropic:alpha-2', {}, [price('anthropic:x', { product_id: 'acme/x' })])).toEqual([
      5, 100,
    ])
  })
  test('of a row that asks for nothing is no alert', () => {
    expect(removed('anthropic:alpha-2', { input_per_mtok: null })[0]).toBe(2)
    expect(removed('anthropic:alpha-2', { input_per_mtok: '0' })[0]).toBe(2)
  })
})

describe('the impact', () => {
  const impact = (fields: Partial<ChangeDraft>) => describeImpact(draft(fields), context)

  test.each<[string, string, number]>([
    ['1', '8', 100],
    ['1', '9', 100],
    ['0', '1', 100],
    ['1', '2', 33],
    ['2', '1', 20],
    // o3 in June 2025
    ['10', '2', 46],
    ['1', '0', 60],
  ])('of an amount from %s to %s on cost is %i', (before, after, expected) => {
    expect(impact(priceMove({ output_per_mtok: before }, { output_per_mtok: after }))).toMatchObject({
      impact_cost: expected,
      impact_score: expected,
    })
  })

  test('of cached input is a tenth', () => {
    const move = priceMove({ cached_input_per_mtok: '1' }, { cached_input_per_mtok: '8' })
    expect(impact(move).impact_cost).toBe(10)
  })

  test('of cost is that of the worst row, which is named', () => {
    const rows = [
      moved('acme:a', { input_per_mtok: '1' }, { input_per_mtok: '1.1' }),
      moved('acme:b', { input_per_mtok: '1' }, { input_per_mtok: '2' }),
    ]
    expect(impact({ rows })).toMatchObject({
      impact_cost: 33,
      impact_notes: 'Largest move: input +100 % of acme:b.',
    })
  })

  test('of a correction, and of what is taken back, is none', () => {
    const rows = [moved('acme:a', { input_per_mtok: '1000' }, { input_per_mtok: '1' })]
    expect(impact({ category: 'correction', rows })).toMatchObject({
      impact_score: 0,
      impact_cost: 0,
      impact_notes: expect.stringMatching(/^The record was wrong or late/) as string,
    })
    expect(impact({ rows, status: 'withdrawn' })).toMatchObject({ impact_score: 0, impact_cost: 0 })
  })

  test('on cost is unknown for what has nothing to do with it', () => {
    const rows = [moved('acme:a', null, { input_per_mtok: '1' })]
    expect(impact({ category: 'model_added', rows })).toEqual({
      impact_score: 0,
      impact_cost: null,
      impact_migration: null,
      impact_reliability: null,
      impact_notes: null,
    })
    const named = [moved('acme:a', { input_per_mtok: '1' }, { input_per_mtok: '1', region: 'eu' })]
    expect(impact({ category: 'metadata', rows: named }).impact_cost).toBeNull()
  })

  test.each<[string, number]>([
    ['2026-08-02', 100],
    ['2026-09-01', 92],
    ['2027-02-01', 50],
    ['2029-01-01', 20],
    ['2026-08-01', 20],
  ])('of a retirement on %s on migration is %i', (day, expected) => {
    const rows = [retiring('acme:a', null, day)]
    expect(impact({ category: 'deprecation', rows })).toMatchObject({
      impact_migration: expected,
      impact_score: expected,
    })
  })

  test('of a retirement that is called off is none', () => {
    const rows = [retiring('acme:a', '2026-09-01', null)]
    expect(impact({ category: 'deprecation', rows })).toMatchObject({
      impact_migration: null,
      impact_score: 0,
    })
  })
})
