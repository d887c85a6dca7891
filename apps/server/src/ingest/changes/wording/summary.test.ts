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
  announced,
  rise,
  tokens,
} from '../../../../test/support/drafts.ts'
import type { PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { buildDiff } from './diff.ts'
import { writeSummary } from './summary.ts'

const summary = (fields: Partial<ChangeDraft>, omission: string | null = null) =>
  writeSummary(draft(fields), wordingContext(), omission).split('\n')

describe('the summary', () => {
  test('says amounts with units and per cent, of rows alike once', () => {
    const rows = ['a:x', 'a:y', 'a:z'].map((id) =>
      moved(id, tokens('10', id === 'a:z' ? '50' : '40'), tokens('2', '8')),
    )
    expect(summary({ category: 'price_cut', rows })).toEqual([
      'The price of Alpha 2 on A changed. The source does not say since when; it was first seen on 2026-08-01 (UTC).',
      'a:x and a:y: input from 10 to 2 USD per 1M tokens (−80 %), output from 40 to 8 USD per 1M tokens (−80 %).',
      'a:z: input from 10 to 2 USD per 1M tokens (−80 %), output from 50 to 8 USD per 1M tokens (−84 %).',
      'No second source confirms it yet.',
    ])
  })

  test('says the dates of a dated price, and whether a second source agrees', () => {
    expect(summary(announced('2026-09-01'))).toEqual([
      'The price of Alpha 2 on Acme changes on 2026-09-01, in 30 days.',
      'acme:alpha-2: input from 2 to 3 USD per 1M tokens (+50 %), output from 10 to 15 USD per 1M tokens (+50 %).',
      'No second source confirms it yet.',
    ])
    expect(summary({ ...announced('2026-08-03'), verified: true })).toEqual([
      'The price of Alpha 2 on Acme changes on 2026-08-03, tomorrow.',
      expect.any(String),
      'A second, independent source or the operator confirms it.',
    ])
    expect(summary({ rows: rise, effectiveOn: '2026-08-01' })[0]).toBe(
      'The price of Alpha 2 on Acme changed on 2026-08-01.',
    )
  })

  test('says that what was announced does not come', () => {
    expect(summary({ rows: rise, status: 'withdrawn', effectiveOn: '2026-09-01', verified: true })).toEqual([
      'The price of Alpha 2 on Acme stays as it is: the change that was announced for 2026-09-01 is no longer to come.',
      expect.stringContaining('(+50 %)'),
    ])
    expect(summary({ rows: rise, status: 'withdrawn' })[0]).toContain(
      'that was announced is no longer to come',
    )
  })

  test('says what a new product costs and when it retires', () => {
    const row = { resource_id: 'a:x', before: null, after: state(price('a:x', tokens('1', '2')), { retires_on: '2027-01-01' }) } // prettier-ignore
    expect(summary({ category: 'model_added', rows: [row] })).toEqual([
      'Alpha 2 is new on A.',
      'a:x: input 1, output 2 USD per 1M tokens; retires on 2027-01-01.',
    ])
  })

  test('says since when a product is gone, by whom, its last price and what notice there was', () => {
    const gone = (id: string, retires_on: string | null) => ({
      resource_id: id,
      before: state(price(id, tokens('1', '2')), { retires_on }),
      after: null,
    })
    const removed = (sources: string[], rows: ReturnType<typeof gone>[], prices = [] as PriceRecord[]) =>
      writeSummary(
        draft({
          category: 'model_removed',
          rows,
          evidence: rows.flatMap(({ resource_id }) => sources.map((source) => evidence(resource_id, source))),
        }),
        wordingContext({ prices }),
        null,
      ).split('\n')
    expect(removed(['litellm'], [gone('a:x', null)])).toEqual([
      'Alpha 2 is no longer listed by LiteLLM on A, since 2026-08-01 (UTC). No source has given a day of retirement.',
      'a:x: last price: input 1, output 2 USD per 1M tokens.',
    ])
    expect(removed(['litellm', 'portkey'], [gone('a:x', '2026-07-31')])[0]).toBe(
      'Alpha 2 is removed on A, since 2026-08-01 (UTC): it is no longer listed by LiteLLM and Portkey. Retirement was announced for 2026-07-31.',
    )
    expect(removed(['litellm'], [gone('a:x', '2026-07-31'), gone('a:y', null)])[0]).toMatch(
      /Retirement was announced for 2026-07-31, of 1 of 2 rows\.$/,
    )
    expect(removed(['litellm'], [gone('a:x', null)], [price('a:alpha-2')])[0]).toMatch(
      /^X is no longer listed .* Still listed: a:alpha-2\.$/,
    )
  })

  test('says who says so and who denies it', () => {
    const says = (source: string, amount: string) => ({ ...evidence('acme:alpha-2', source), field: 'input_per_mtok', amount }) // prettier-ignore
    const told = [says('litellm', '3'), says('portkey', '2'), says('genai-prices', '2')]
    expect(summary({ rows: rise, evidence: told }).at(-1)).toBe(
      'No second source confirms it yet. 1 source says so: LiteLLM. 2 sources still state the amount before: genai-prices and Portkey.',
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
      'A day of retirement is given for Alpha 2 on A, B, C and 2 more, for 4 of 5 rows.',
      'a:x: retires on 2026-08-14 (in 12 days).',
      'b:x: retires on 2026-08-03 (tomorrow), before: 2026-08-10.',
      'c:x: retires on 2026-08-02 (today).',
      'd:x: retired on 2026-07-31 (2 days ago).',
      'e:x: no longer retires on 2026-08-10.',
    ])
    expect(summary({ category: 'deprecation', rows: rows.slice(4) })[0]).toBe(
      'The retirement of Alpha 2 on E is called off: no day is given any more.',
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
      'The price list of Alpha 2 on A beside the standard price changed. The source does not say since when; it was first seen on 2026-08-01 (UTC).',
      'a:x: batch input tokens from 1 to 2 USD per 1M tokens (+100 %), searches no longer stated, before 0.01 USD per query.',
      'No second source confirms it yet.',
    ])
  })

  test('says of a correction why it is no move', () => {
    const rows = [moved('a:x', tokens('4400', '1'), tokens('0.55', '1'))]
    expect(summary({ category: 'correction', rows })).toEqual([
      'The record of Alpha 2 on A is corrected, and no move is told: sources differ.',
      'a:x: input from 4400 to 0.55 USD per 1M tokens (−99.9 %).',
    ])
  })

  test('says what else is stated, from what to what', () => {
    const rows = [
      moved('a:x', { effective_at: null }, { effective_at: '2026-01-01', cached_input_per_mtok: '1' }),
    ]
    expect(summary({ category: 'metadata', rows })).toEqual([
      'What is stated of Alpha 2 on A has changed; no price that was known has moved.',
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

test('what the diff omits is what the summary is given', () => {
  const card = Array.from({ length: 30_000 }, (_, variant) => rate({ variant: `${variant}` }))
  const change = draft({ category: 'tier_change', rows: [recarded('a:x', [], card)] })
  const { omission, diff_after } = buildDiff(change)
  expect([omission, diff_after]).toEqual(['The diff shows 0 of 1 row.', null])
  expect(writeSummary(change, wordingContext(), omission)).toMatch(/The diff shows 0 of 1 row\.$/)
})
