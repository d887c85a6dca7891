import { describe, expect, test } from 'vitest'
import { UserError } from '../../platform/user-error.ts'
import { parseChanges } from './change-input.ts'

const minimal = {
  vendor: 'acme',
  product: 'acme/alpha',
  modality: 'llm',
  category: 'price_cut',
  severity: 3,
  title: 'Alpha is cheaper',
  summary: 'Input tokens fall.',
  impact_score: 40,
}
const alternative = {
  product_id: 'zeta/one',
  product_name: 'One',
  vendor: 'zeta',
  migration_effort: 'low',
  rank: 1,
}

function problem(json: unknown): string {
  try {
    parseChanges(json)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('It was accepted.')
}

describe('a file of changes is accepted', () => {
  test('as one object or a list, in the order given', () => {
    expect(parseChanges(minimal)).toEqual([minimal])
    const list = [
      { ...minimal, id: 'b' },
      { ...minimal, id: 'a' },
      { ...minimal, id: 'c' },
    ]
    expect(parseChanges(list)).toEqual(list)
  })

  test('with every field of the interface that is not assigned', () => {
    const full = {
      ...minimal,
      id: 'acme:2026-11.A_1',
      diff_before: '{}',
      diff_after: '{}',
      diff_keys: '[]',
      impact_cost: 0,
      impact_reliability: 100,
      impact_migration: 1,
      impact_quality: 2,
      impact_compliance: 3,
      impact_notes: 'notes',
      migration_deadline: '2027-03-31',
      effective_time: '2026-11-18T00:00:00Z',
      first_seen: '2026-11-18T14:00:00.000001Z',
      last_seen: '2026-11-18T14:30:00.000001Z',
      verified: true,
      verified_at: '2026-11-18T14:30:00.000001Z',
      status: 'announced',
      source_url: 'https://acme.example/news',
      alternatives: [{ ...alternative, cost_diff_pct: -12.5, quality_comparison: 'same', notes: null }],
    }
    expect(parseChanges(full)).toMatchObject([{ ...full, effective_time: expect.any(String) as string }])
  })

  test('with times in any offset, stored in UTC with six decimals', () => {
    const [change] = parseChanges({ ...minimal, first_seen: '2026-11-18T14:00:00+02:00' })
    expect(change?.first_seen).toBe('2026-11-18T12:00:00.000000Z')
  })

  test('with effective_time and migration_deadline in any offset, stored the same way', () => {
    const [change] = parseChanges({
      ...minimal,
      effective_time: '2026-11-18T14:00:00+02:00',
      migration_deadline: '2026-11-18T00:00:00Z',
    })
    expect(change?.effective_time).toBe('2026-11-18T12:00:00.000000Z')
    expect(change?.migration_deadline).toBe('2026-11-18T00:00:00.000000Z')
  })

  test('with categories and statuses of any name', () => {
    expect(parseChanges({ ...minimal, category: 'something_new', status: 'rumoured' })).toHaveLength(1)
  })

  test('at the limits: 200 characters of title, 4,000 of summary, severities 1 to 5, impacts 0 to 100', () => {
    const limits = { ...minimal, title: 'x'.repeat(200), summary: 'x'.repeat(4_000) }
    for (const severity of [1, 5]) {
      for (const impact_score of [0, 100]) {
        expect(parseChanges({ ...limits, severity, impact_score })).toHaveLength(1)
      }
    }
  })

  test('with blanks around a text cut off', () => {
    expect(parseChanges({ ...minimal, title: '  x \n' })[0]?.title).toBe('x')
  })
})

describe('a file of changes is refused, and nothing of it published', () => {
  test.each<[string, unknown, RegExp]>([
    ['an empty list', [], /holds no change/],
    ['null', null, /^Nothing was published\.\nchange: it: /],
    ['a text', 'x', /change: it: /],
    ['a list in a list', [[minimal]], /change 1: it: /],
    ['a missing title', { ...minimal, title: undefined }, /change: title: /],
    ['a blank title', { ...minimal, title: '  ' }, /change: title: /],
    ['a title of 201 characters', { ...minimal, title: 'x'.repeat(201) }, /change: title: /],
    ['a summary of 4,001 characters', { ...minimal, summary: 'x'.repeat(4_001) }, /change: summary: /],
    ['a title with NUL', { ...minimal, title: 'a\0b' }, /title: must not contain NUL/],
    ['half a character', { ...minimal, summary: 'a\ud83d' }, /summary: must not contain NUL or half/],
    ['severity 0', { ...minimal, severity: 0 }, /severity: /],
    ['severity 6', { ...minimal, severity: 6 }, /severity: /],
    ['severity 2.5', { ...minimal, severity: 2.5 }, /severity: /],
    ['severity as text', { ...minimal, severity: '3' }, /severity: /],
    ['an impact of 101', { ...minimal, impact_score: 101 }, /impact_score: /],
    ['an impact below 0', { ...minimal, impact_cost: -1 }, /impact_cost: /],
    [
      'a time without offset',
      { ...minimal, first_seen: '2026-11-18T14:00:00' },
      /first_seen: must be a time/,
    ],
    ['a date for a time', { ...minimal, verified_at: '2026-11-18' }, /verified_at: must be a time/],
    [
      'a date that is none',
      { ...minimal, migration_deadline: '2026-02-30' },
      /migration_deadline: must be a date/,
    ],
    ['a source that is no link', { ...minimal, source_url: 'javascript:alert(1)' }, /source_url: /],
    ['a data: source', { ...minimal, source_url: 'data:text/html,x' }, /source_url: /],
    ['an id with a slash', { ...minimal, id: 'a/b' }, /id: must be 1 to 128/],
    ['an id of 129 characters', { ...minimal, id: 'x'.repeat(129) }, /id: must be 1 to 128/],
    ['an unknown field', { ...minimal, colour: 'red' }, /colour is not a field of a change/],
    ['an unknown effort', { ...minimal, alternatives: [{ ...alternative, migration_effort: 'none' }] }, /alternatives\.0\.migration_effort: /], // prettier-ignore
    ['a rank of 0', { ...minimal, alternatives: [{ ...alternative, rank: 0 }] }, /alternatives\.0\.rank: /],
    ['an infinite difference', { ...minimal, alternatives: [{ ...alternative, cost_diff_pct: Infinity }] }, /cost_diff_pct/], // prettier-ignore
    ['an id twice', [{ ...minimal, id: 'a' }, { ...minimal, id: 'a' }], /id "a" stands in the file more than once/], // prettier-ignore
  ])('%s', (_name, json, sentence) => {
    expect(problem(json)).toMatch(sentence)
  })

  test.each(['access', 'created_at', 'updated_at', 'view_count'])('%s, which is assigned', (name) => {
    expect(problem({ ...minimal, [name]: 'x' })).toContain(`change: ${name} is assigned when`)
  })

  test('with a line for each fault of each change', () => {
    const lines = problem([minimal, { ...minimal, severity: 9, title: '' }, { ...minimal, x: 1 }]).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines.slice(1).map((line) => line.slice(0, 9))).toEqual(['change 2:', 'change 2:', 'change 3:'])
  })

  test('__proto__ as a field reaches nothing', () => {
    const json = JSON.parse(JSON.stringify(minimal).replace('{', '{"__proto__":{"severity":1},')) as unknown
    expect(problem(json)).toMatch(/__proto__ is not a field/)
    expect(({} as { severity?: number }).severity).toBeUndefined()
  })
})
