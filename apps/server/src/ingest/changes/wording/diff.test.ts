import { expect, test } from 'vitest'
import { draft, moved, price, rate, recarded, retiring, state } from '../../../../test/support/drafts.ts'
import type { ChangeDraft, MovedRow } from '../change-draft.ts'
import { buildDiff } from './diff.ts'

type Fields = Record<string, Record<string, unknown>>

function read(fields: Partial<ChangeDraft>) {
  const { diff_before, diff_after, diff_keys, omission } = buildDiff(draft(fields))
  return {
    before: diff_before == null ? null : (JSON.parse(diff_before) as Fields),
    after: diff_after == null ? null : (JSON.parse(diff_after) as Fields),
    keys: diff_keys == null ? null : (JSON.parse(diff_keys) as string[]),
    omission,
  }
}

test('only fields that differ are told, amounts as numbers', () => {
  const rows = [
    moved(
      'acme:b',
      { input_per_mtok: '0.3', output_per_mtok: '8', image_per_unit: null },
      { input_per_mtok: '0.1', output_per_mtok: '8', image_per_unit: '0.04' },
    ),
    moved('acme:a', { input_per_mtok: '3', region: null }, { input_per_mtok: '1', region: 'eu' }),
  ]
  expect(read({ rows })).toEqual({
    before: {
      'acme:a': { input_per_mtok: 3, region: null },
      'acme:b': { input_per_mtok: 0.3, image_per_unit: null },
    },
    after: {
      'acme:a': { input_per_mtok: 1, region: 'eu' },
      'acme:b': { input_per_mtok: 0.1, image_per_unit: 0.04 },
    },
    keys: ['acme:a#input_per_mtok', 'acme:a#region', 'acme:b#image_per_unit', 'acme:b#input_per_mtok'],
    omission: null,
  })
})

test('an amount has no float dust', () => {
  const rows = [moved('acme:a', { input_per_mtok: '0.2' }, { input_per_mtok: '123456.789012' })]
  expect(buildDiff(draft({ rows })).diff_after).toBe('{"acme:a":{"input_per_mtok":123456.789012}}')
})

test('a row that is new stands in the text after alone, with all that is known of it', () => {
  const row = { resource_id: 'acme:a', before: null, after: state(price('acme:a', { input_per_mtok: '1' }), { rates: [rate()], retires_on: '2027-01-01' }) } // prettier-ignore
  const { before, after, keys } = read({ category: 'model_added', rows: [row] })
  expect(before).toBeNull()
  expect(after).toEqual({
    'acme:a': {
      product_id: 'acme/alpha-2',
      vendor: 'acme',
      platform: 'acme',
      modality: 'llm',
      unit: '1m_tokens',
      input_per_mtok: 1,
      currency: 'USD',
      rates: { 'input tokens per 1m_tokens': 1 },
      retires_on: '2027-01-01',
    },
  })
  expect(keys).toHaveLength(9)
})

test('a row that is gone stands in the text before alone', () => {
  const { before, after } = read({
    category: 'model_removed',
    rows: [moved('acme:a', { input_per_mtok: '1' }, null)],
  })
  expect(before?.['acme:a']?.input_per_mtok).toBe(1)
  expect(after).toBeNull()
})

test('entries of a rate card are told in words, those that differ', () => {
  const batch = rate({ service_tier: 'batch', amount: '1.5' })
  const long = rate({ meter: 'output_tokens', threshold: 200_000, hours: '16:30-00:30', amount: '4' })
  const write = rate({ meter: 'cache_write_tokens', variant: '1h', amount: '6' })
  const search = rate({ meter: 'searches', unit: 'query', amount: '0.01' })
  const rows = [recarded('acme:a', [batch, write, search], [{ ...batch, amount: '2' }, long, search])]
  expect(read({ category: 'tier_change', rows })).toMatchObject({
    before: { 'acme:a': { rates: { 'batch input tokens per 1m_tokens': 1.5, 'cache write tokens (1h) per 1m_tokens': 6 } } }, // prettier-ignore
    after: { 'acme:a': { rates: { 'batch input tokens per 1m_tokens': 2, 'output tokens above 200,000 at 16:30-00:30 UTC per 1m_tokens': 4 } } }, // prettier-ignore
    keys: ['acme:a#rates'],
  })
})

test('a retirement is told by its day', () => {
  const rows = [retiring('acme:a', null, '2027-01-01')]
  expect(read({ category: 'deprecation', rows })).toMatchObject({
    before: { 'acme:a': { retires_on: null } },
    after: { 'acme:a': { retires_on: '2027-01-01' } },
  })
})

test('rates and retirements, which have changes of their own, are not told again with a price', () => {
  const row: MovedRow = {
    resource_id: 'acme:a',
    before: state(price('acme:a', { input_per_mtok: '1' })),
    after: state(price('acme:a', { input_per_mtok: '2' }), { rates: [rate()], retires_on: '2027-01-01' }),
  }
  for (const category of ['price_rise', 'price_cut', 'correction', 'metadata'] as const) {
    expect(read({ category, rows: [row] }).keys).toEqual(['acme:a#input_per_mtok'])
  }
})

test('a row in which nothing differs is not told', () => {
  const same = { input_per_mtok: '1' }
  expect(read({ rows: [moved('acme:a', same, same)] })).toEqual({
    before: null,
    after: null,
    keys: null,
    omission: null,
  })
})

test('names that every object inherits are names like others', () => {
  const rows = ['__proto__', 'constructor'].map((id) =>
    moved(id, { input_per_mtok: '1' }, { input_per_mtok: '2' }),
  )
  expect(buildDiff(draft({ rows })).diff_after).toBe(
    '{"__proto__":{"input_per_mtok":2},"constructor":{"input_per_mtok":2}}',
  )
})

test('3,000 rows with a moved price are told in full', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    moved(`acme:${'a'.repeat(70)}-${index}`, { input_per_mtok: '1' }, { input_per_mtok: '2' }),
  )
  const { before, keys, omission } = read({ rows })
  expect(Object.keys(before!)).toHaveLength(3_000)
  expect(keys).toHaveLength(3_000)
  expect(omission).toBeNull()
})

test('3,000 rows with long rate cards: what does not fit is left out on both sides, every row is in the keys', () => {
  const card = (amount: string) =>
    Array.from({ length: 40 }, (_, variant) => rate({ variant: `${variant}`, amount }))
  const rows = Array.from({ length: 3_000 }, (_, index) => recarded(`acme:${index}`, card('1'), card('2')))
  const texts = buildDiff(draft({ category: 'tier_change', rows }))
  const { before, after, keys, omission } = read({ category: 'tier_change', rows })
  for (const text of [texts.diff_before, texts.diff_after, texts.diff_keys]) {
    expect(text!.length).toBeLessThanOrEqual(1_000_000)
  }
  expect(texts.diff_before!.length).toBeGreaterThan(990_000)
  expect(Object.keys(before!)).toEqual(Object.keys(after!))
  expect(keys).toHaveLength(3_000)
  expect(omission).toBe(`The diff shows ${Object.keys(after!).length} of 3,000 rows.`)
})

test('a removal too large to be told in full stays within bounds as well', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    moved(`acme:${index}`, { source_url: `https://acme.example/${'x'.repeat(500)}` }, null),
  )
  const { diff_before, diff_after, omission } = buildDiff(draft({ category: 'model_removed', rows }))
  expect(diff_before!.length).toBeLessThanOrEqual(1_000_000)
  expect(diff_before!.length).toBeGreaterThan(990_000)
  expect(diff_after).toBeNull()
  expect(omission).toMatch(/^The diff shows 1,?\d{3} of 3,000 rows\.$/)
})

test('3,000 new rows with long ids: the keys name one field of each', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    moved(`acme:${'a'.repeat(100)}-${index}`, null, { input_per_mtok: '2' }),
  )
  const { keys, omission } = read({ category: 'model_added', rows })
  expect(keys).toHaveLength(3_000)
  expect(keys![0]).toMatch(/^acme:a+-0#product_id$/)
  expect(omission).toBe('Its keys name one field of each of 3,000 rows.')
})

test('more ids than fit at all: as many keys as there is room for', () => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    moved(`acme:${'a'.repeat(500)}-${index}`, null, { input_per_mtok: '2' }),
  )
  const { diff_keys, omission } = buildDiff(draft({ category: 'model_added', rows }))
  expect(diff_keys!.length).toBeLessThanOrEqual(1_000_000)
  expect(omission).toMatch(/one field of each of 1,500 rows\.$/)
})
