import { describe, expect, test } from 'vitest'
import { changeForAccess } from './change-access.ts'
import type { StoredChange } from './change-store.ts'

const instant = '2026-11-18T14:30:00.000002Z'
const stored: StoredChange = {
  id: 'chg_1',
  vendor: 'acme',
  product: 'acme/alpha',
  modality: 'llm',
  category: 'deprecation',
  severity: 5,
  title: 'Alpha ends',
  summary: 'Acme switches alpha off.',
  diff_before: '{}',
  diff_after: '{}',
  diff_keys: '[]',
  impact_score: 90,
  impact_cost: 1,
  impact_reliability: 2,
  impact_migration: 3,
  impact_quality: 4,
  impact_compliance: 5,
  impact_notes: 'notes',
  migration_deadline: '2027-03-31',
  effective_time: '2027-04-01',
  first_seen: instant,
  last_seen: instant,
  verified: true,
  verified_at: instant,
  status: 'announced',
  source_url: 'https://acme.example/news',
  created_at: instant,
  updated_at: instant,
  alternatives: [
    {
      id: 'alt_1',
      change_id: 'chg_1',
      product_id: 'acme/beta',
      product_name: 'Beta',
      vendor: 'acme',
      migration_effort: 'low',
      rank: 1,
      created_at: instant,
    },
  ],
}

describe('full', () => {
  test('gives everything but the address of the source', () => {
    const { source_url: _, ...everything } = stored
    expect(changeForAccess(stored, 'full')).toEqual({ ...everything, access: 'full' })
  })
})

describe('summary', () => {
  test('withholds diff_*, impact_* but impact_score, migration_deadline and alternatives, and nothing else', () => {
    const { source_url: _, ...everything } = stored
    const withheld = Object.keys(everything).filter(
      (name) =>
        name.startsWith('diff_') ||
        (name.startsWith('impact_') && name !== 'impact_score') ||
        name === 'migration_deadline',
    )
    const summary = changeForAccess(stored, 'summary')
    expect(withheld).toHaveLength(10)
    for (const name of withheld) expect(summary).not.toHaveProperty(name)
    expect(summary.alternatives).toEqual([])
    expect(summary.access).toBe('summary')
    const given = Object.keys(everything).filter(
      (name) => !withheld.includes(name) && name !== 'alternatives',
    )
    expect(summary).toMatchObject(Object.fromEntries(given.map((name) => [name, everything[name as 'id']])))
    expect(Object.keys(summary)).toHaveLength(given.length + 2)
  })

  test('leaves what is stored as it is', () => {
    const before = structuredClone(stored)
    changeForAccess(stored, 'summary')
    expect(stored).toEqual(before)
  })
})
