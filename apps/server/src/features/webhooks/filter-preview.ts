import { eventsAbout } from '@ratecard/contract/alert'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { buildMatcher, type FilteredChange, type WebhookFilter } from './filter.ts'

/** So many days are looked back for a preview. */
const previewDays = 90
/** Names that are suggested, of vendors and of products. */
const namesMax = 5_000

export const FilterPreview = z.strictObject({
  days: z.int().min(1).max(366),
  matching: z.int().min(0).max(2147483647),
  /** All changes of these days that a subscription without a filter is told of. */
  all: z.int().min(0).max(2147483647),
})
export type FilterPreview = z.infer<typeof FilterPreview>

/**
 * What a filter would have let through lately.
 * @param severityMin changes that a source has, below this, are told to nobody
 */
export async function previewFilter(
  db: Db,
  filter: WebhookFilter,
  severityMin: number,
): Promise<FilterPreview> {
  interface Row extends FilteredChange {
    category: string
    count: number
  }
  // A change is updated after it is created: the index of the list leads to those of these days.
  const { rows } = await sql<Row>`
    select vendor, product, severity, category, count(*)::int as count from changes
    where updated_at >= ratecard_now() - make_interval(days => ${previewDays})
      and created_at >= ratecard_now() - make_interval(days => ${previewDays})
      and (run_id is null or severity >= ${severityMin})
    group by vendor, product, severity, category`.execute(db)
  const told = rows.filter(({ category }) => eventsAbout(category).length > 0)
  const matches = buildMatcher(filter)
  return { days: previewDays, matching: sumCounts(told.filter(matches)), all: sumCounts(told) }
}

function sumCounts(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

export const FilterNames = z.strictObject({
  vendors: z.array(z.string()).max(5000),
  products: z.array(z.string()).max(5000),
})
export type FilterNames = z.infer<typeof FilterNames>

/** The vendors and products that prices and changes have, in order. */
export async function readFilterNames(db: Db): Promise<FilterNames> {
  const names = async (ofPrices: 'vendor' | 'product_id', ofChanges: 'vendor' | 'product') => {
    const { rows } = await sql<{ name: string }>`
      select distinct ${sql.ref(ofPrices)} as name from prices where ${sql.ref(ofPrices)} is not null
      union select ${sql.ref(ofChanges)} from changes
      order by name limit ${namesMax}`.execute(db)
    return rows.map(({ name }) => name)
  }
  return { vendors: await names('vendor', 'vendor'), products: await names('product_id', 'product') }
}
