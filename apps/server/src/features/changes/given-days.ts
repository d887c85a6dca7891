import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { readDecimal } from '../../catalog/decimal.ts'
import type { GivenDay } from '../../catalog/price-history.ts'
import { amountColumns } from '../../catalog/price-record.ts'
import { readSide } from './change-moves.ts'

/**
 * The days that changes published by hand give for amounts of prices. That of a change that a run found is the source's
 * own, which its price has.
 */
export async function listGivenDays(db: Db): Promise<GivenDay[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'diff_after', sql<boolean>`category = 'correction'`.as('is_correction')])
    .select(sql<string>`effective_time::timestamptz`.as('day'))
    .select(utcText('created_at').as('known_at'))
    .where('run_id', 'is', null)
    .where('effective_time', 'is not', null)
    .where('diff_after', 'is not', null)
    .where(sql<boolean>`status is distinct from 'withdrawn'`)
    .execute()
  return rows.flatMap(({ id, diff_after, ...row }) =>
    [...(readSide(diff_after) ?? [])].flatMap(([resource_id, fields]) => {
      const amounts = Object.fromEntries(
        amountColumns.flatMap((column) => {
          const reading = readDecimal(fields.get(column))
          return 'amount' in reading && reading.amount !== null ? [[column, reading.amount]] : []
        }),
      )
      return Object.keys(amounts).length === 0 ? [] : [{ change_id: id, resource_id, amounts, ...row }]
    }),
  )
}
