import type { AlertedChange } from '@ratecard/contract'
import { alertedChange } from '@ratecard/contract/alert'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

/** What the changes of an alert are written from. It never changes. */
export interface StoredAlert {
  alert_id: string
  change_ids: readonly string[]
  public_url: string
}

/**
 * The changes of alerts as JSON, by the alert's id: the bytes that every attempt of every delivery of it sends. One
 * query, whatever the number of alerts.
 */
export async function readAlertedChanges(
  db: Db,
  alerts: readonly StoredAlert[],
): Promise<Map<string, string>> {
  const ids = [...new Set(alerts.flatMap((alert) => alert.change_ids))]
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'vendor', 'product', 'category', 'title', 'summary', 'severity'])
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    alerts.map(({ alert_id, change_ids, public_url }) => {
      const changes = change_ids.flatMap((id): AlertedChange[] => {
        const row = byId.get(id)
        return row ? [alertedChange(row, public_url)] : []
      })
      return [alert_id, JSON.stringify(changes)]
    }),
  )
}
