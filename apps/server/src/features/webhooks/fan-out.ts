import type { AlertedChange, AlertEvent } from '@ratecard/contract'
import { alertedChange, splitIntoAlerts } from '@ratecard/contract/alert'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { follows } from '../../database/feed-role.ts'
import { newId } from '../../platform/ids.ts'
import type { Queue } from '../../queue/queue.ts'
import { insertAlerts, readTargets, type NewAlert } from './delivery-store.ts'
import { findAudiences } from './filter.ts'

// From an announcement, which says what is alerted, to the alerts and deliveries of this database, which depend on who
// subscribes here. Where changes are published both are one transaction. A cell has the announcement from its hub, and
// makes the rest itself.

export interface FanOutOptions {
  queue: Pick<Queue, 'enqueue'>
  publicUrl: string
}

/** The changes of one publication that are alerted, in its order. */
interface Announcement {
  id: string
  event: AlertEvent
  changes: AlertedChange[]
}

/** Announces changes that this transaction publishes, and makes their deliveries. Returns how many. */
export async function announce(
  trx: Trx,
  { event, changes }: Omit<Announcement, 'id'>,
  options: FanOutOptions,
): Promise<number> {
  const id = newId('ann')
  const ids = changes.map((change) => change.id)
  await sql`insert into announcements (id, event, change_ids) values (${id}, ${event}, ${ids}::text[])`.execute(
    trx,
  )
  await takeFanOut(trx, id)
  return fanOut(trx, { id, event, changes }, options)
}

/** Announcements that this cell has not told yet, the oldest first. None where no hub is followed. */
export async function listUntold(db: Db, most: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('announcements as a')
    .select('a.id')
    .where(follows)
    .where(sql<boolean>`not exists (select from alert_fanouts f where f.announcement_id = a.id)`)
    .orderBy('a.created_at')
    .orderBy('a.id')
    .limit(most)
    .execute()
}

/**
 * Makes the deliveries of an announcement of the hub, unless that was done. Of two workers at once one waits for the
 * other, and does it only when the other did not come to its end.
 * @returns how many deliveries; null: it was done
 */
export async function fanOutAnnounced(trx: Trx, id: string, options: FanOutOptions): Promise<number | null> {
  if (!(await takeFanOut(trx, id))) return null
  const announcement = await readAnnouncement(trx, id, options)
  return announcement === null ? 0 : fanOut(trx, announcement, options)
}

/** Makes those of one account alone, which has come from another cell since they were made here. */
export async function fanOutTo(
  trx: Trx,
  accountId: string,
  id: string,
  options: FanOutOptions,
): Promise<void> {
  const announcement = await readAnnouncement(trx, id, options)
  if (announcement) await fanOut(trx, announcement, options, accountId)
}

async function readAnnouncement(
  trx: Trx,
  id: string,
  { publicUrl }: FanOutOptions,
): Promise<Announcement | null> {
  const row = await trx
    .selectFrom('announcements')
    .select(['event', 'change_ids'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const known = await trx
    .selectFrom('changes')
    .select(['id', 'vendor', 'product', 'category', 'title', 'summary', 'severity'])
    .where('id', '=', sql<string>`any(${row.change_ids})`)
    .execute()
  const byId = new Map(known.map((change) => [change.id, change]))
  const changes = row.change_ids.flatMap((changeId) => {
    const change = byId.get(changeId)
    return change ? [alertedChange(change, publicUrl)] : []
  })
  return { id, event: row.event as AlertEvent, changes }
}

async function takeFanOut(trx: Trx, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('alert_fanouts')
    .values({ announcement_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

/** Entitlement and filters count as they stand now. */
async function fanOut(
  trx: Trx,
  { event, changes }: Announcement,
  { queue, publicUrl }: FanOutOptions,
  accountId?: string,
): Promise<number> {
  const alerts = await narrowed(trx, event, changes, accountId)
  const created = await insertAlerts(trx, alerts, { event, publicUrl })
  const jobs = created.map(({ id, webhookId }) => ({
    data: { deliveryId: id, attempt: 1 },
    group: webhookId,
  }))
  await queue.enqueue(trx, 'deliver', jobs)
  return created.length
}

/**
 * The alerts of an event for each set of changes that some subscription is told of. Filtered first and split then: few
 * changes out of many are one delivery.
 */
async function narrowed(
  trx: Trx,
  event: AlertEvent,
  told: readonly AlertedChange[],
  accountId: string | undefined,
): Promise<NewAlert[]> {
  const audiences = findAudiences(await readTargets(trx, event, accountId), told)
  return audiences.flatMap(({ places, targets }) =>
    splitIntoAlerts(places.map((place) => told[place]!)).map((changes) => ({
      changeIds: changes.map(({ id }) => id),
      targets,
    })),
  )
}
