import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'

// What is forgotten of deliveries.

/** Each goes with its attempts and what they sent: a dozen rows at most. What is under way stays, however old. */
export const finishedDeliveries: AgedRows = {
  table: 'deliveries',
  at: 'created_at',
  goes: sql`row.state <> 'pending'`,
  rowsMax: 2_000,
}

/** Those that no delivery is left of. */
export const alertsWithoutDelivery: AgedRows = {
  table: 'alerts',
  at: 'created_at',
  goes: sql`not exists (select from deliveries d where d.alert_id = row.id)`,
  rowsMax: 2_000,
}

/** Each database forgets by itself, and only what it has told. */
export const toldAnnouncements: AgedRows = {
  table: 'announcements',
  at: 'created_at',
  goes: sql`exists (select from alert_fanouts f where f.announcement_id = row.id)`,
}

/** A hub may keep announcements for longer than its cell: what the cell has told it does not tell again. */
export const fanOutDaysMore = 365

/** That they were told. */
export const oldFanOuts: AgedRows = {
  table: 'alert_fanouts',
  at: 'at',
  goes: sql`not exists (select from announcements a where a.id = row.announcement_id)`,
}
