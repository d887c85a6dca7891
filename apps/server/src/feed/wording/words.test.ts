import { describe, expect, test } from 'vitest'
import { Decimal } from 'decimal.js'
import {
  draft,
  moved,
  price,
  rate,
  recarded,
  retiring,
  state,
  wordingContext,
} from '../../../test/support/drafts.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { diffOf } from './diff.ts'
import { summaryOf } from './summary.ts'
import { boundedText, clip, listText, percentText } from './text.ts'
import { titleOf } from './title.ts'

const title = (fields: Partial<ChangeDraft>, context = wordingContext()) => titleOf(draft(fields), context)
const summary = (fields: Partial<ChangeDraft>, omission: string | null = null) =>
  summaryOf(draft(fields), wordingContext(), omission).split('\n')
const tokens = (input: string, output: string) => ({ input_per_mtok: input, output_per_mtok: output })

const rise = [moved('acme:alpha-2', tokens('2', '10'), tokens('3', '15'))]
const announced = (effectiveOn: string) => ({ rows: rise, status: 'announced', effectiveOn }) as const

describe('the title of a price that moves', () => {
  test('says product, amounts and platform', () => {
    expect(title({ rows: rise })).toBe('alpha-2: input +50 %, output +50 % on acme')
  })

  test('says each amount once, over all rows and platforms', () => {
    const rows = [
      moved('openai:alpha-2', tokens('10', '40'), tokens('2', '8')),
      moved('azure:alpha-2', tokens('10', '40'), tokens('6', '8')),
    ]
    expect(title({ category: 'price_cut', rows })).toBe(
      'alpha-2: input −80 % to −40 %, output −80 % on azure and openai',
    )
  })

  test('counts the amounts and platforms that have no room', () => {
    const all = { input_per_mtok: '1', output_per_mtok: '1', cached_input_per_mtok: '1', image_per_unit: '1', video_per_sec: '1' } // prettier-ignore
    const more = { input_per_mtok: '2', output_per_mtok: '2', cached_input_per_mtok: '2', image_per_unit: '2', video_per_sec: '2' } // prettier-ignore
    const rows = ['e', 'd', 'c', 'b', 'a'].map((platform) => moved(`${platform}:alpha-2`, all, more))
    expect(title({ rows })).toBe(
      'alpha-2: input +100 %, output +100 %, cached input +100 % and 2 more on a, b, c and 2 more',
    )
  })

  test('says the region of a single row, and no place where none is known', () => {
    const region = moved('bedrock:eu:alpha-2', tokens('1', '1'), tokens('2', '1'), { region: 'eu' })
    expect(title({ rows: [region] })).toBe('alpha-2: input +100 % on bedrock (eu)')
    expect(title({ rows: [region, ...rise] })).toBe(
      'alpha-2: input +50 % to +100 %, output +50 % on acme and bedrock',
    )
    const nowhere = moved('alpha-2', tokens('1', '1'), tokens('2', '1'), { platform: null })
    expect(title({ rows: [nowhere] })).toBe('alpha-2: input +100 %')
  })

  test('says what has no share of a price before', () => {
    const rows = [
      moved(
        'acme:alpha-2',
        { input_per_mtok: '0', image_per_unit: '1' },
        { input_per_mtok: '1', output_per_mtok: '1' },
      ),
    ]
    expect(title({ rows })).toBe('alpha-2: input from free, output new, image no longer stated on acme')
  })

  test('says that it changed where amounts cannot be compared', () => {
    const rows = [moved('acme:alpha-2', { input_per_mtok: '1' }, { input_per_mtok: '7', currency: 'CNY' })]
    expect(title({ rows })).toBe('alpha-2: price changed on acme')
  })

  test('of a row without a product says its id', () => {
    const unlinked = { product_id: null, platform: 'bedrock', region: 'eu' }
    const rows = [moved('bedrock:eu:alpha', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'bedrock:eu:alpha', rows })).toBe('alpha: input +100 % on bedrock (eu)')
    const odd = [moved('alpha:2', tokens('1', '1'), tokens('2', '1'), unlinked)]
    expect(title({ product: 'alpha:2', rows: odd })).toBe('alpha:2: input +100 % on bedrock (eu)')
  })

  test('has at most 200 characters, and says what happened all the same', () => {
    const id = `acme:${'x'.repeat(300)}`
    const rows = [moved(id, tokens('1', '1'), tokens('2', '1'), { product_id: null })]
    expect(title({ product: id, rows })).toBe(`${'x'.repeat(79)}…: input +100 % on acme`)
    const platform = 'p'.repeat(300)
    const far = [moved(id, tokens('1', '1'), tokens('2', '1'), { product_id: null, platform })]
    expect(title({ product: id, rows: far })).toHaveLength(200)
  })
})

describe('the title of a dated price', () => {
  test.each([
    ['2026-09-02', 'From 2026-09-02: '],
    ['2026-09-01', 'In 30 days (2026-09-01): '],
    ['2026-08-09', 'In 7 days (2026-08-09): '],
    ['2026-08-03', 'Tomorrow (2026-08-03): '],
    ['2026-08-02', 'From 2026-08-02: '],
  ])('from %s begins with %s', (day, beginning) => {
    expect(title(announced(day))).toBe(`${beginning}alpha-2: input +50 %, output +50 % on acme`)
  })

  test('says since when it holds', () => {
    expect(title({ rows: rise, effectiveOn: '2026-08-02' })).toBe(
      'alpha-2: input +50 %, output +50 % on acme since 2026-08-02',
    )
    expect(title({ rows: rise, effectiveOn: '2026-08-03' })).toBe(
      'alpha-2: input +50 %, output +50 % on acme from 2026-08-03',
    )
  })

  test('says that it was withdrawn', () => {
    expect(title({ rows: rise, status: 'withdrawn', effectiveOn: '2026-09-01' })).toBe(
      'Withdrawn: alpha-2: input +50 %, output +50 % on acme, announced for 2026-09-01',
    )
    expect(title({ rows: rise, status: 'withdrawn' })).toBe(
      'Withdrawn: alpha-2: input +50 %, output +50 % on acme',
    )
  })

  test('is not one of a record that is corrected', () => {
    expect(title({ category: 'correction', rows: rise, effectiveOn: '2026-08-01' })).not.toContain('since')
  })
})

describe('the title of a product that comes or goes', () => {
  test('says the price of a new one', () => {
    const rows = [moved('bedrock:alpha-2', null, { ...tokens('3', '15'), image_per_unit: '0.04' })]
    expect(title({ category: 'model_added', rows })).toBe(
      'alpha-2: new on bedrock, input 3, output 15 USD per 1M tokens; image 0.04 USD per image',
    )
  })

  test('counts several prices, and says when there is none', () => {
    const rows = [moved('a:x', null, tokens('3', '15')), moved('b:x', null, tokens('4', '15'))]
    expect(title({ category: 'model_added', rows })).toBe('alpha-2: new on a and b, at 2 prices')
    expect(title({ category: 'model_added', rows: [moved('a:x', null, {})] })).toBe(
      'alpha-2: new on a, price not stated',
    )
  })

  test('says whether a removal was announced', () => {
    const gone = (id: string, retires_on: string | null) => ({
      resource_id: id,
      before: state(price(id), { retires_on }),
      after: null,
    })
    const removed = (...rows: ReturnType<typeof gone>[]) => title({ category: 'model_removed', rows })
    expect(removed(gone('acme:x', null))).toBe('alpha-2: removed from acme, without notice')
    expect(removed(gone('acme:x', '2026-08-01'))).toBe(
      'alpha-2: removed from acme, as announced for 2026-08-01',
    )
    expect(removed(gone('acme:x', '2026-08-01'), gone('b:x', null))).toBe('alpha-2: removed from acme and b')
  })

  test.each<[string | null, string | null, string]>([
    [null, '2026-08-14', 'alpha-2: retires on 2026-08-14 (12 days left) on acme'],
    [null, '2026-08-03', 'alpha-2: retires on 2026-08-03 (tomorrow) on acme'],
    [null, '2026-08-02', 'alpha-2: retires on 2026-08-02 (today) on acme'],
    [null, '2026-08-01', 'alpha-2: retired since 2026-08-01 on acme'],
    [
      '2026-08-10',
      '2026-08-14',
      'alpha-2: retires on 2026-08-14 instead of 2026-08-10 (12 days left) on acme',
    ],
    ['2026-08-10', null, 'alpha-2: retirement on 2026-08-10 called off on acme'],
  ])('of a retirement from %s to %s', (was, is, expected) => {
    expect(title({ category: 'deprecation', rows: [retiring('acme:x', was, is)] })).toBe(expected)
  })

  test('of retirements that differ says the earliest, and nothing that holds for some', () => {
    const rows = [retiring('acme:x', '2026-08-10', '2026-09-10'), retiring('b:x', null, '2026-08-20')]
    expect(title({ category: 'deprecation', rows })).toBe(
      'alpha-2: retires on 2026-08-20 (18 days left) on acme and b',
    )
    const off = [retiring('acme:x', '2026-08-10', null), retiring('b:x', '2026-08-11', null)]
    expect(title({ category: 'deprecation', rows: off })).toBe('alpha-2: retirement called off on acme and b')
  })
})

describe('the title of', () => {
  test('a rate card says a new long-context price first, else what moved', () => {
    const batch = rate({ service_tier: 'batch' })
    const tiers = (before: (typeof batch)[], after: (typeof batch)[]) =>
      title({ category: 'tier_change', rows: [recarded('acme:x', before, after)] })
    expect(tiers([batch], [{ ...batch, amount: '2' }, rate({ threshold: 200_000 })])).toBe(
      'alpha-2: new price above 200,000 tokens per request on acme',
    )
    expect(tiers([batch], [{ ...batch, amount: '2' }])).toBe('alpha-2: batch input tokens +100 % on acme')
    expect(tiers([batch], [])).toBe('alpha-2: batch input tokens no longer stated on acme')
    expect(tiers([], [])).toBe('alpha-2: special rates changed on acme')
  })

  test('a correction says the amounts where all rows have the same', () => {
    const rows = [
      moved('a:x', tokens('4400', '1'), tokens('0.55', '2')),
      moved('a:y', tokens('4400', '3'), tokens('0.55', '4')),
    ]
    expect(title({ category: 'correction', rows })).toBe(
      'alpha-2: record corrected on a: input 4400 → 0.55 and output (USD per 1M tokens)',
    )
    const unknown = [moved('a:x', { input_per_mtok: '1' }, { image_per_unit: '2' }, { currency: null })]
    expect(title({ category: 'correction', rows: unknown })).toBe(
      'alpha-2: record corrected on a: input 1 → unknown and image unknown → 2',
    )
    const region = [moved('a:x', { region: null }, { region: 'eu' })]
    expect(title({ category: 'correction', rows: region })).toBe('alpha-2: record corrected on a (eu)')
  })

  test('a record says which of its fields changed', () => {
    const fields = (before: object, after: object) =>
      title({ category: 'metadata', rows: [moved('a:x', before, after)] })
    expect(fields({}, { unit: 'page', source_url: 'https://a.example' })).toBe(
      'alpha-2: unit and link to the source changed on a',
    )
    expect(fields({ modality: null }, { cached_input_per_mtok: '1' })).toBe(
      'alpha-2: cached input new; modality changed on a',
    )
    expect(fields({}, {})).toBe('alpha-2: record changed on a')
  })
})

describe('the summary', () => {
  test('says amounts with units and per cent, of rows alike once', () => {
    const rows = ['a:x', 'a:y', 'a:z'].map((id) =>
      moved(id, tokens('10', id === 'a:z' ? '50' : '40'), tokens('2', '8')),
    )
    expect(summary({ category: 'price_cut', rows })).toEqual([
      'The price of alpha-2 on a changed. The source does not say since when; it was first seen on 2026-08-01 (UTC).',
      'a:x and a:y: input from 10 to 2 USD per 1M tokens (−80 %), output from 40 to 8 USD per 1M tokens (−80 %).',
      'a:z: input from 10 to 2 USD per 1M tokens (−80 %), output from 50 to 8 USD per 1M tokens (−84 %).',
      'No second source confirms it yet.',
    ])
  })

  test('says the dates of a dated price, and whether a second source agrees', () => {
    expect(summary(announced('2026-09-01'))).toEqual([
      'The price of alpha-2 on acme changes on 2026-09-01, in 30 days.',
      'acme:alpha-2: input from 2 to 3 USD per 1M tokens (+50 %), output from 10 to 15 USD per 1M tokens (+50 %).',
      'No second source confirms it yet.',
    ])
    expect(summary({ ...announced('2026-08-03'), verified: true })).toEqual([
      'The price of alpha-2 on acme changes on 2026-08-03, tomorrow.',
      expect.any(String),
      'A second, independent source or the operator confirms it.',
    ])
    expect(summary({ rows: rise, effectiveOn: '2026-08-01' })[0]).toBe(
      'The price of alpha-2 on acme changed on 2026-08-01.',
    )
  })

  test('says that what was announced does not come', () => {
    expect(summary({ rows: rise, status: 'withdrawn', effectiveOn: '2026-09-01', verified: true })).toEqual([
      'The price of alpha-2 on acme stays as it is: the change that was announced for 2026-09-01 is no longer to come.',
      expect.stringContaining('(+50 %)'),
    ])
    expect(summary({ rows: rise, status: 'withdrawn' })[0]).toContain(
      'that was announced is no longer to come',
    )
  })

  test('says what a new product costs and when it retires', () => {
    const row = { resource_id: 'a:x', before: null, after: state(price('a:x', tokens('1', '2')), { retires_on: '2027-01-01' }) } // prettier-ignore
    expect(summary({ category: 'model_added', rows: [row] })).toEqual([
      'alpha-2 is new on a.',
      'a:x: input 1, output 2 USD per 1M tokens; retires on 2027-01-01.',
    ])
  })

  test('says since when a product is gone, its last price and what notice there was', () => {
    const gone = (retires_on: string | null) => ({
      resource_id: 'a:x',
      before: state(price('a:x', tokens('1', '2')), { retires_on }),
      after: null,
    })
    const lines = summary({ category: 'model_removed', rows: [gone(null)] })
    expect(lines).toEqual([
      'alpha-2 is no longer listed on a, since 2026-08-01 (UTC). No retirement had been announced by then.',
      'a:x: last price: input 1, output 2 USD per 1M tokens.',
    ])
    expect(summary({ category: 'model_removed', rows: [gone('2026-07-31')] })[0]).toContain(
      'Its retirement was announced, for 2026-07-31.',
    )
    expect(summary({ category: 'model_removed', rows: [gone('2026-07-31'), gone(null)] })[0]).toContain(
      'Its retirement was announced in part, for 2026-07-31.',
    )
  })

  test('says each day of retirement with its distance', () => {
    const rows = [
      retiring('a:x', null, '2026-08-14'),
      retiring('b:x', '2026-08-10', '2026-08-03'),
      retiring('c:x', null, '2026-08-02'),
      retiring('d:x', null, '2026-07-31'),
      retiring('e:x', '2026-08-10', null),
    ]
    expect(summary({ category: 'deprecation', rows })).toEqual([
      'alpha-2 has a day of retirement on a, b, c and 2 more.',
      'a:x: retires on 2026-08-14 (in 12 days).',
      'b:x: retires on 2026-08-03 (in 1 day), before: 2026-08-10.',
      'c:x: retires on 2026-08-02 (today).',
      'd:x: retired on 2026-07-31 (2 days ago).',
      'e:x: no longer retires on 2026-08-10.',
    ])
    expect(summary({ category: 'deprecation', rows: rows.slice(4) })[0]).toBe(
      'alpha-2 has no day of retirement any more on e.',
    )
    expect(summary({ category: 'deprecation', rows: [retiring('a:x', null, null)] })[1]).toBe(
      'a:x: no day of retirement.',
    )
  })

  test('says what moved on a rate card', () => {
    const batch = rate({ service_tier: 'batch' })
    const search = rate({ meter: 'searches', unit: 'query', amount: '0.01' })
    const rows = [recarded('a:x', [batch, search], [{ ...batch, amount: '2' }])]
    expect(summary({ category: 'tier_change', rows })).toEqual([
      'What alpha-2 costs beside its standard price on a changed. The source does not say since when; it was first seen on 2026-08-01 (UTC).',
      'a:x: batch input tokens from 1 to 2 USD per 1M tokens (+100 %), searches no longer stated, before 0.01 USD per query.',
      'No second source confirms it yet.',
    ])
  })

  test('says of a correction that nobody moved a price', () => {
    const rows = [moved('a:x', tokens('4400', '1'), tokens('0.55', '1'))]
    expect(summary({ category: 'correction', rows })).toEqual([
      'The record of alpha-2 on a was wrong and is corrected. No vendor moved a price.',
      'a:x: input from 4400 to 0.55 USD per 1M tokens (−99.9 %).',
    ])
  })

  test('says what else is stated, from what to what', () => {
    const rows = [
      moved('a:x', { effective_at: null }, { effective_at: '2026-01-01', cached_input_per_mtok: '1' }),
    ]
    expect(summary({ category: 'metadata', rows })).toEqual([
      'What is stated of alpha-2 on a has changed; no price that was known has moved.',
      'a:x: cached input new, 1 USD per 1M tokens, date of the price from none to 2026-01-01.',
    ])
  })

  test('does not compare amounts in two currencies', () => {
    const rows = [moved('a:x', { input_per_mtok: '1' }, { input_per_mtok: '7', currency: 'CNY' })]
    expect(summary({ rows })[1]).toBe('a:x: input 1 USD per 1M tokens, now input 7 CNY per 1M tokens.')
  })

  test('says the price of a row in which nothing moved', () => {
    expect(summary({ rows: [moved('a:x', { input_per_mtok: '1' }, { input_per_mtok: '1' })] })[1]).toBe(
      'a:x: input 1 USD per 1M tokens.',
    )
  })

  test('names five ids of rows alike and counts the others', () => {
    const rows = Array.from({ length: 9 }, (_, index) =>
      moved(`a:${index}`, tokens('1', '1'), tokens('2', '1')),
    )
    expect(summary({ rows })[1]).toMatch(/^a:0, a:1, a:2, a:3, a:4 and 4 more: input /)
  })

  test('of 3,000 rows that differ says as many as it has room for, how many more there are, and what the diff omits', () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => moved(`a:${index}`, tokens('1', '1'), tokens(`${index + 2}`, '1'))) // prettier-ignore
    const lines = summary({ rows }, 'The diff shows 2 of 3,000 rows.')
    const shown = lines.filter((line) => line.startsWith('a:')).length
    expect(lines.slice(-3)).toEqual([
      `And ${(3_000 - shown).toLocaleString('en-US')} rows more.`,
      'No second source confirms it yet.',
      'The diff shows 2 of 3,000 rows.',
    ])
    const length = lines.join('\n').length
    expect(length).toBeLessThanOrEqual(4_000)
    expect(length).toBeGreaterThan(3_900)
  })
})

describe('in texts', () => {
  test.each([
    [0.5, '+50 %'],
    [-0.8, '−80 %'],
    [0.123, '+12 %'],
    [0.0567, '+5.7 %'],
    [0.0004, '+0.04 %'],
    [0.00004, '+<0.01 %'],
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

test('what the diff omits is what the summary is given', () => {
  const card = Array.from({ length: 30_000 }, (_, variant) => rate({ variant: `${variant}` }))
  const change = draft({ category: 'tier_change', rows: [recarded('a:x', [], card)] })
  const { omission, diff_after } = diffOf(change)
  expect([omission, diff_after]).toEqual(['The diff shows 0 of 1 row.', null])
  expect(summaryOf(change, wordingContext(), omission)).toMatch(/The diff shows 0 of 1 row\.$/)
})
