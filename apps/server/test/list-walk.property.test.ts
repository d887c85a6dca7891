import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListRows } from '../src/database/list-text.ts'
import { listChanges, type ChangeFilter } from '../src/features/changes/change-store.ts'
import { listPrices, type PriceFilter } from '../src/catalog/price-store.ts'
import { decodeCursor, encodeCursor, type Cursor } from '../src/platform/cursor.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()

describe('A walk over the pages', () => {
  const vendors = ['acme', 'Zeta']
  const instants = [
    '2031-03-05T00:00:00.000001Z',
    '2031-03-05T00:00:00.000002Z',
    '2031-03-06T00:00:00.000000Z',
  ]
  // Where byte order, the order of UTF-16 units and any language's order disagree.
  const letters = [
    'A',
    'B',
    'a',
    'b',
    'Z',
    'z',
    '_',
    '-',
    ':',
    '.',
    '1',
    '10',
    '9',
    'é',
    'ß',
    '\uffee',
    '\u{1f600}',
  ]

  interface Row {
    id: string
    updated_at: string
    vendor: string
    second: string | null
    modality: string
    severity: number
  }
  const rows: Row[] = letters.flatMap((first, i) =>
    letters.map((last, j) => ({
      id: `${first}${last}`,
      updated_at: instants[(i * 7 + j * j) % instants.length] ?? '',
      vendor: vendors[(i + j) % 2] ?? '',
      second: ['alpha', 'Beta', null][(i + 2 * j) % 3] ?? null,
      modality: ['llm', 'incident', 'image'][(i * j) % 3] ?? '',
      severity: 1 + ((i + 3 * j) % 5),
    })),
  )
  const inOrder = (chosen: Row[]) =>
    chosen
      .toSorted((a, b) =>
        a.updated_at === b.updated_at
          ? Buffer.compare(Buffer.from(b.id), Buffer.from(a.id))
          : Buffer.compare(Buffer.from(b.updated_at), Buffer.from(a.updated_at)),
      )
      .map((row) => row.id)

  beforeAll(async () => {
    // Neither list ever has an instant twice. Its pages must not rest on that.
    await sql
      .raw(
        'alter table prices drop constraint prices_updated_at_key; alter table changes drop constraint changes_updated_at_key',
      )
      .execute(database.db)
    await sql`
      insert into prices (resource_id, updated_at, vendor, platform, product_id, modality, source)
      select id, updated_at, vendor, second, vendor || '/x', modality, 'test'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id text, updated_at timestamptz, vendor text, second text, modality text)`.execute(database.db)
    await sql`
      insert into changes (id, updated_at, vendor, product, category, modality, severity, title, summary,
        impact_score, first_seen, last_seen)
      select id, updated_at, vendor, coalesce(second, 'none'), modality, 'llm', severity, 't', 's', 1, updated_at, updated_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id text, updated_at timestamptz, vendor text, second text, modality text, severity int)`.execute(
      database.db,
    )
  })

  /** Every id, page by page, through the cursor as clients hand it back. */
  async function walk<T>(
    page: (cursor: Cursor | null) => Promise<ListRows<T>>,
    limit: number,
    id: (row: T) => string,
  ): Promise<string[]> {
    const ids: string[] = []
    for (let cursor: Cursor | null = null; ;) {
      const { rows, next } = await page(cursor)
      expect(rows.length).toBeLessThanOrEqual(limit)
      if (next) expect(rows).toHaveLength(limit)
      ids.push(...rows.map(id))
      if (!next) return ids
      cursor = decodeCursor(encodeCursor(next))
      expect(cursor).toEqual(next)
    }
  }

  const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const since = maybe(...instants, '2031-03-05T00:00:00.000003Z', '2031-03-07T00:00:00.000000Z')
  // Often about a size at which the rows divide evenly.
  const limits = fc.oneof(
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 500 }),
    fc.constantFrom(17, rows.length - 1, rows.length, rows.length + 1),
  )
  const passes = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value

  test('of prices shows each once, in the order of bytes, for every limit and filter', async () => {
    const filters: fc.Arbitrary<PriceFilter> = fc.record({
      vendor: maybe(...vendors),
      product: maybe('acme/x', 'Zeta/x', 'none/x'),
      platform: maybe('alpha', 'Beta', 'beta'),
      modality: maybe('llm', 'image'),
      since,
    })
    await fc.assert(
      fc.asyncProperty(filters, limits, async (filter, limit) => {
        const wanted = rows.filter(
          (row) =>
            passes(filter.vendor, row.vendor) &&
            passes(filter.product, `${row.vendor}/x`) &&
            passes(filter.platform, row.second) &&
            passes(filter.modality, row.modality) &&
            row.updated_at >= (filter.since ?? ''),
        )
        const page = (cursor: Cursor | null) => listPrices(database.db, filter, { cursor, limit })
        expect(await walk(page, limit, (row) => row.resource_id)).toEqual(inOrder(wanted))
      }),
      { numRuns: 60 },
    )
  })

  test('of changes shows each once, in the order of bytes, for every limit and filter', async () => {
    const filters: fc.Arbitrary<ChangeFilter> = fc.record({
      vendor: maybe(...vendors),
      product: maybe('alpha', 'Beta', 'none', 'beta'),
      category: maybe('llm', 'incident'),
      include_incidents: maybe(true, false),
      min_severity: maybe(1, 2, 3, 4, 5),
      since,
    })
    await fc.assert(
      fc.asyncProperty(filters, limits, async (filter, limit) => {
        const wanted = rows.filter(
          (row) =>
            passes(filter.vendor, row.vendor) &&
            passes(filter.product, row.second ?? 'none') &&
            (filter.category === undefined
              ? filter.include_incidents === true || row.modality !== 'incident'
              : row.modality === filter.category) &&
            row.severity >= (filter.min_severity ?? 1) &&
            row.updated_at >= (filter.since ?? ''),
        )
        const page = (cursor: Cursor | null) => listChanges(database.db, filter, { cursor, limit })
        expect(await walk(page, limit, (row) => row.id)).toEqual(inOrder(wanted))
      }),
      { numRuns: 60 },
    )
  })
})
