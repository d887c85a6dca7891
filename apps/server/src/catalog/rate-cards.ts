import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { sortRates, type Rate } from './rate-card.ts'

/** The rate cards of prices by resource id, sorted. A resource without one is not in it. */
export async function readRateCards(db: Db, ids?: readonly string[]): Promise<Map<string, Rate[]>> {
  let rates = db
    .selectFrom('rate_cards')
    .select(['resource_id', 'meter', 'unit', 'service_tier', 'variant', 'hours'])
    .select(sql<number | null>`threshold::float8`.as('threshold'))
    .select(sql<string>`trim_scale(amount)::text`.as('amount'))
  if (ids !== undefined) rates = rates.where('resource_id', '=', sql<string>`any(${ids})`)
  const cards = Map.groupBy(await rates.execute(), ({ resource_id }) => resource_id)
  return new Map(
    [...cards].map(([id, rows]) => [id, sortRates(rows.map(({ resource_id: _, ...rate }) => rate))]),
  )
}
