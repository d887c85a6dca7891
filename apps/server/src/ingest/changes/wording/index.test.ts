import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draft, moved, price, rate, retiring, wordingContext } from '../../../../test/support/drafts.ts'
import { changeInput, parseChanges } from '../../../features/changes/change-input.ts'
import { amountColumns, modalities, type PriceRecord } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { feedCategories, type ChangeDraft, type RowState } from '../change-draft.ts'
import { toChangeInput } from './index.ts'

describe('a draft becomes a change', () => {
  const rows = [
    moved(
      'acme:alpha-2',
      { input_per_mtok: '1' },
      { input_per_mtok: '2', source_url: 'https://acme.example/prices' },
    ),
  ]

  test('with everything that the interface has for it', () => {
    const change = toChangeInput(
      draft({ rows, verified: true, effectiveOn: '2026-08-01' }),
      wordingContext({ prices: [price('b:alpha-2', { input_per_mtok: '1', output_per_mtok: '1' })] }),
    )
    expect(change).toEqual({
      vendor: 'acme',
      product: 'acme/alpha-2',
      modality: 'llm',
      category: 'price_rise',
      severity: 5,
      title: 'Alpha 2 costs 100 % more for input on Acme since 2026-08-01 ($1 → $2 in)',
      summary: expect.stringMatching(/^The price of Alpha 2 on Acme changed on 2026-08-01\.\n/) as string,
      diff_before: '{"acme:alpha-2":{"input_per_mtok":1,"source_url":null}}',
      diff_after: '{"acme:alpha-2":{"input_per_mtok":2,"source_url":"https://acme.example/prices"}}',
      diff_keys: '["acme:alpha-2#input_per_mtok","acme:alpha-2#source_url"]',
      impact_score: 33,
      impact_cost: 33,
      impact_migration: null,
      impact_reliability: null,
      impact_notes: 'Largest move: input +100 % of acme:alpha-2.',
      migration_deadline: null,
      effective_time: '2026-08-01',
      first_seen: '2026-08-01T06:00:00.000000Z',
      last_seen: '2026-08-02T06:00:00.000000Z',
      verified: true,
      verified_at: '2026-08-02T06:00:00.000000Z',
      status: 'in_effect',
      source_url: 'https://acme.example/prices',
      alternatives: [expect.objectContaining({ product_id: 'acme/alpha-2', cost_diff_pct: null })],
    })
    expect(parseChanges(change)).toEqual([change])
  })

  test('that nobody has verified says no time of it', () => {
    expect(toChangeInput(draft({ rows }), wordingContext())).toMatchObject({
      verified: false,
      verified_at: null,
    })
  })

  test('of modality other and vendor unknown where no row has them, else of the first that has', () => {
    const unknown = moved('a:x', {}, {}, { modality: null, vendor: 'unknown' })
    const known = moved('b:x', {}, {}, { modality: 'image', vendor: 'zeta' })
    expect(toChangeInput(draft({ rows: [unknown] }), wordingContext())).toMatchObject({
      modality: 'other',
      vendor: 'unknown',
    })
    expect(toChangeInput(draft({ rows: [unknown, known] }), wordingContext())).toMatchObject({
      modality: 'image',
      vendor: 'zeta',
    })
  })

  test('with the first source that is an address', () => {
    const links = [
      'see the vendor',
      'ftp://a.example',
      `https://a.example/${'x'.repeat(3_000)}`,
      'https://b.example/',
    ]
    const linked = links.map((source_url, index) => moved(`a:${index}`, {}, {}, { source_url }))
    const change = (count: number) => toChangeInput(draft({ rows: linked.slice(0, count) }), wordingContext())
    expect(change(4).source_url).toBe('https://b.example/')
    expect(change(3).source_url).toBeNull()
  })

  test('with the day until which to move: of a retirement, of a model that is new or gone, and of nothing else', () => {
    const deadline = (fields: Partial<ChangeDraft>) =>
      toChangeInput(draft(fields), wordingContext()).migration_deadline
    const retirements = [retiring('a:x', '2026-09-01', '2026-10-02'), retiring('b:x', null, '2026-10-01')]
    expect(deadline({ category: 'deprecation', rows: retirements })).toBe('2026-10-01')
    const comes = retirements.map((row) => ({ ...row, before: null }))
    expect(deadline({ category: 'model_added', rows: comes })).toBe('2026-10-01')
    const goes = retirements.map((row) => ({ ...row, after: null }))
    expect(deadline({ category: 'model_removed', rows: goes })).toBe('2026-09-01')
    expect(deadline({ category: 'price_rise', rows: retirements })).toBeNull()
  })
})

// Whatever a source says: long texts, other scripts, names of inherited properties. Control characters and halves of
// characters are refused where a row comes in (`admit`).
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ maxLength: 400 }),
    fc.constantFrom('__proto__', '\ufffd', '   ', '', 'a/b', 'a:b#c', 'x'.repeat(5_000)),
  )
  .map((text) => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' '))
const amount = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 9 }))
  .map(([digits, places]) => (digits / 10 ** places).toFixed(places).replace(/\.?0+$/, '') || '0')
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const anyRecord: fc.Arbitrary<PriceRecord> = fc.record({
  resource_id: anyText,
  product_id: maybe(fc.oneof(fc.constant('acme/alpha-2'), anyText)),
  vendor: anyText,
  platform: maybe(fc.oneof(fc.constantFrom('anthropic', 'bedrock', 'constructor'), anyText)),
  modality: maybe(fc.constantFrom(...modalities)),
  region: maybe(anyText),
  unit: maybe(anyText),
  ...(Object.fromEntries(amountColumns.map((column) => [column, maybe(amount)])) as Record<
    (typeof amountColumns)[number],
    fc.Arbitrary<string | null>
  >),
  currency: maybe(fc.constantFrom('USD', 'CNY')),
  source_url: maybe(fc.oneof(fc.webUrl(), anyText)),
  effective_at: maybe(day),
})
const anyRate: fc.Arbitrary<Rate> = fc.record({
  meter: anyText,
  unit: anyText,
  amount,
  service_tier: maybe(anyText),
  variant: maybe(anyText),
  threshold: maybe(fc.nat()),
  hours: maybe(anyText),
})
const anyState: fc.Arbitrary<RowState> = fc.record({
  record: anyRecord,
  rates: fc.array(anyRate, { maxLength: 4 }),
  retires_on: maybe(day),
})
const anyDraft: fc.Arbitrary<ChangeDraft> = fc.record({
  category: fc.constantFrom(...feedCategories),
  product: fc.oneof(fc.constant('acme/alpha-2'), anyText),
  // A draft names each row once.
  rows: fc.uniqueArray(
    fc
      .tuple(anyText, anyState, anyState, fc.constantFrom('both', 'new', 'gone'))
      .map(([resource_id, before, after, kind]) => ({
        resource_id,
        before: kind === 'new' ? null : before,
        after: kind === 'gone' ? null : after,
      })),
    { maxLength: 12, selector: ({ resource_id }) => resource_id },
  ),
  firstSeen: day.map((text) => `${text}T00:00:00.000000Z`),
  lastSeen: day.map((text) => `${text}T23:59:59.999999Z`),
  verified: fc.boolean(),
  status: fc.constantFrom('announced', 'in_effect', 'withdrawn'),
  effectiveOn: maybe(day),
  evidence: fc.constant([]),
})
const anyContext = fc.record({ today: day, prices: fc.array(anyRecord, { maxLength: 8 }) })

describe('any draft', () => {
  test('becomes a change that is accepted as it stands', () => {
    fc.assert(
      fc.property(anyDraft, anyContext, (change, beside) => {
        const input = toChangeInput(change, wordingContext(beside))
        expect(changeInput.parse(input)).toEqual(input)
      }),
      { numRuns: 400 },
    )
  })

  test('names the same rows and fields in the keys as in the diff', () => {
    fc.assert(
      fc.property(anyDraft, anyContext, (change, beside) => {
        const { diff_before, diff_after, diff_keys } = toChangeInput(change, wordingContext(beside))
        const told = [diff_before, diff_after].flatMap((text) =>
          text == null ? [] : Object.entries(JSON.parse(text) as Record<string, object>),
        )
        const keys = told.flatMap(([id, fields]) => Object.keys(fields).map((field) => `${id}#${field}`))
        expect(diff_keys == null ? [] : JSON.parse(diff_keys)).toEqual([...new Set(keys)].sort())
      }),
      { numRuns: 400 },
    )
  })

  test('offers no row of its own, at most five alternatives and each by its rank', () => {
    fc.assert(
      fc.property(anyDraft, anyContext, (change, beside) => {
        const own = change.rows.map(({ resource_id }) => ({ ...price(resource_id), platform: 'elsewhere' }))
        const { alternatives } = toChangeInput(
          change,
          wordingContext({ ...beside, prices: [...beside.prices, ...own] }),
        )
        expect(alternatives!.length).toBeLessThanOrEqual(5)
        expect(alternatives!.map(({ rank }) => rank)).toEqual(alternatives!.map((_, index) => index + 1))
        expect(alternatives!.filter(({ product_name }) => product_name.endsWith(' on elsewhere'))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('says the same whatever the order of its rows, but for their lines', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9), { minLength: 2 }), (numbers) => {
        const rows = numbers.map((n) =>
          moved(`a:${n}`, { input_per_mtok: '1' }, { input_per_mtok: `${n + 2}` }),
        )
        const told = (list: typeof rows) => {
          const { summary: _summary, ...rest } = toChangeInput(draft({ rows: list }), wordingContext())
          return rest
        }
        expect(told(rows.toReversed())).toEqual(told(rows))
      }),
    )
  })
})

test('a change of 3,000 rows with everything in them is accepted', () => {
  const rates = Array.from({ length: 20 }, (_, index) => rate({ variant: `${index}` }))
  const rows = Array.from({ length: 3_000 }, (_, index) => ({
    resource_id: `acme:${'a'.repeat(70)}-${index}`,
    before: null,
    after: {
      record: price(`acme:${index}`, { input_per_mtok: `${index}` }),
      rates,
      retires_on: '2027-01-01',
    },
  }))
  expect(
    parseChanges(toChangeInput(draft({ category: 'model_added', rows }), wordingContext())),
  ).toHaveLength(1)
})
