import type { Change } from '@ratecard/contract'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test/support/postgres.ts'
import { changeFile, publish } from '../../../test/support/fixtures.ts'
import type { ListText } from '../../database/list-text.ts'
import type { ChangeAccess } from './change-access.ts'
import { findChange, listChanges, readChangeList, type ChangeFilter } from './change-store.ts'

const database = useDatabase()

const odd = 'say "so" \\ \b\f\n\r\t\u0001 \u2028 ü 漢 \u{1f600}'
const alternative = (rank: number, cost: number | null) => ({
  product_id: `acme/beta-${rank}`,
  product_name: `Beta ${rank} ${odd}`,
  vendor: 'acme',
  migration_effort: 'low',
  cost_diff_pct: cost,
  rank,
  ...(rank % 2 === 0 && { notes: odd, quality_comparison: 'as good' }),
})
const whole = {
  diff_before: '{"a":1}',
  diff_after: '{"a":2}',
  diff_keys: '["a#b"]',
  impact_cost: 1,
  impact_reliability: 2,
  impact_migration: 3,
  impact_quality: 4,
  impact_compliance: 5,
  impact_notes: odd,
  migration_deadline: '2027-03-31',
  effective_time: '2027-04-01T12:00:00+02:00',
  verified: true,
  verified_at: '2026-11-18T14:30:00.000002Z',
  status: 'announced',
  source_url: 'https://acme.example/news',
}
let ids: string[]
beforeAll(async () => {
  ids = await publish(
    database.db,
    changeFile({ title: odd }),
    changeFile({
      ...whole,
      alternatives: [alternative(3, 1e-9), alternative(1, -12.5), alternative(2, null)],
    }),
    changeFile({ category: 'incident', severity: 5, product: 'acme/zeta', verified: false }),
    changeFile({
      vendor: 'zeta',
      severity: 1,
      alternatives: [1e21, 1.5e300, 0.1 + 0.2, -0.000001, 123456789012345680, 5e-324, 0, -0].map((cost, n) =>
        alternative(n + 1, cost),
      ),
    }),
  )
})

const first = { cursor: null, limit: 100 }
const read = (filter: ChangeFilter, access: ChangeAccess, position = first) =>
  readChangeList(database.db, filter, position, access)
const rowsOf = ({ rows }: ListText) => JSON.parse(`[${rows.join(',')}]`) as Change[]

const inContractOrder = [
  ...['id', 'vendor', 'product', 'modality', 'category', 'severity', 'title', 'summary'],
  ...['diff_before', 'diff_after', 'diff_keys', 'impact_score', 'impact_cost', 'impact_reliability'],
  ...['impact_migration', 'impact_quality', 'impact_compliance', 'impact_notes', 'migration_deadline'],
  ...['effective_time', 'first_seen', 'last_seen', 'verified', 'verified_at', 'status'],
  ...['created_at', 'updated_at', 'alternatives', 'access'],
]

describe('a page of changes, as PostgreSQL writes it', () => {
  test.each<[string, ChangeFilter, number]>([
    ['all that is no incident', {}, 3],
    ['incidents too', { include_incidents: true }, 4],
    ['a least severity', { include_incidents: true, min_severity: 3 }, 3],
    ['a vendor', { vendor: 'zeta' }, 1],
    ['a product', { product: 'acme/zeta', include_incidents: true }, 1],
    ['a category', { category: 'incident' }, 1],
    ['nothing', { vendor: 'none' }, 0],
  ])('is what JSON.stringify makes of the rows: %s', async (_what, filter, count) => {
    for (const access of ['full', 'summary'] as const) {
      const page = await read(filter, access)
      const rows = rowsOf(page)
      expect(rows).toHaveLength(count)
      expect(page.rows).toEqual(rows.map((row) => JSON.stringify(row)))
      for (const limit of [1, 2, 3]) {
        const texts: string[] = []
        for (let cursor: ListText['next'] = null; ;) {
          const part = await read(filter, access, { cursor, limit } as typeof first)
          texts.push(...part.rows)
          if (part.next === null) break
          cursor = part.next
        }
        expect(texts).toEqual(page.rows)
      }
    }
  })

  test('gives every number of the table, whatever its size', async () => {
    const [change] = rowsOf(await read({ vendor: 'zeta' }, 'full'))
    expect(change?.alternatives.map((item) => item.cost_diff_pct)).toEqual([
      ...[1e21, 1.5e300, 0.1 + 0.2, -0.000001, 123456789012345680, 5e-324, 0, 0],
    ])
  })

  test('in full has every field but the address of the source, in the order of the contract', async () => {
    for (const change of rowsOf(await read({ include_incidents: true }, 'full'))) {
      expect(Object.keys(change)).toEqual(inContractOrder)
      expect(change.access).toBe('full')
    }
    const { source_url: _, ...fields } = whole
    const change = rowsOf(await read({}, 'full')).find(({ id }) => id === ids[1])
    expect(change).toMatchObject({ ...fields, effective_time: '2027-04-01T10:00:00.000000Z' })
    expect(change?.alternatives.map(({ rank }) => rank)).toEqual([1, 2, 3])
    expect(change?.alternatives[1]).toEqual({
      ...alternative(2, null),
      id: expect.stringMatching(/^alt_/) as string,
      change_id: ids[1],
      created_at: change?.created_at,
    })
  })

  test('in summary withholds diff_*, impact_* but impact_score, migration_deadline and alternatives', async () => {
    const withheld = inContractOrder.filter((name) => /^(diff|impact)_/.test(name) && name !== 'impact_score')
    for (const change of rowsOf(await read({ include_incidents: true }, 'summary'))) {
      expect(Object.keys(change)).toEqual(
        inContractOrder.filter((name) => !withheld.includes(name) && name !== 'migration_deadline'),
      )
      expect(change).toMatchObject({ alternatives: [], access: 'summary' })
    }
  })

  test('has the version of the list, which moves with alternatives too', async () => {
    const before = await read({}, 'full')
    await sql`update change_alternatives set notes = 'new' where change_id = ${ids[1]}`.execute(database.db)
    const after = await read({}, 'full')
    expect(BigInt(after.version)).toBeGreaterThan(BigInt(before.version))
  })
})

test('Operators, and the page of a change, get everything that is stored', async () => {
  const change = await findChange(database.db, ids[1] ?? '')
  const { rows } = await listChanges(database.db, { include_incidents: true }, first)
  expect(change).toEqual(rows.find(({ id }) => id === ids[1]))
  expect(Object.keys(change ?? {})).toEqual([...inContractOrder.slice(0, -1), 'source_url'])
  expect(await findChange(database.db, 'none')).toBeUndefined()
})
