import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { amountColumns, type AmountColumn } from '../../catalog/price-record.ts'
import { pickAmounts } from '../amounts.ts'
import { noAmounts, type Amounts } from '../source-record.ts'

/** What was served and told of a resource before. */
export interface Past {
  /** Every state in which it was served, with the instant from which it was known. */
  served: readonly { at: string; amounts: Amounts }[]
  /** Price moves that were published lately: the columns that moved. */
  told: readonly ReadonlySet<AmountColumn>[]
}

export const noPast: Past = { served: [], told: [] }

/** @param since moves that were published before are no longer lately told; RFC 3339 */
export async function readPast(
  db: Db,
  resourceIds: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, Past>> {
  if (resourceIds.length === 0) return new Map()
  const ids = [...resourceIds]
  const { rows: states } = await sql<{ resource_id: string; at: string; record: Amounts }>`
    select resource_id, to_char(observed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, record
    from price_versions where resource_id = any(${ids}) order by resource_id, observed_at`.execute(db)
  const { rows: told } = await sql<{ resource_id: string; fields: string[] }>`
    select resource_id, array_agg(distinct field) as fields
    from changes join change_evidence on change_evidence.change_id = changes.id
    where category in ('price_cut', 'price_rise') and status = 'in_effect' and changes.last_seen >= ${since}::timestamptz
      and resource_id = any(${ids}) and field is not null
    group by changes.id, resource_id`.execute(db)
  const past = new Map<string, { served: { at: string; amounts: Amounts }[]; told: Set<AmountColumn>[] }>()
  const entry = (id: string) => past.get(id) ?? past.set(id, { served: [], told: [] }).get(id)!
  for (const { resource_id, at, record } of states)
    entry(resource_id).served.push({ at, amounts: pickAmounts({ ...noAmounts, ...record }) })
  for (const { resource_id, fields } of told)
    entry(resource_id).told.push(new Set(amountColumns.filter((column) => fields.includes(column))))
  return past
}
