import { alertText } from '@ratecard/contract/alert'
import type { AlertEvent } from '@ratecard/contract'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'
import type { Db } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'
import { notFound } from '../feature-error.ts'
import { readAlertedChanges } from './alert-store.ts'

// What went over the line, of attempts that are not long ago.

/** Days after which what an attempt sent and got is forgotten. Its outcome is kept as long as its delivery. */
export const exchangeDays = 7
/** Attempts of an account of which it is kept: the latest. 2 KB each, 5 KB when an endpoint answers at length. */
export const exchangesPerAccountMax = 2_000

export interface StoredExchange {
  attempt: number
  url: string
  request_headers: Record<string, string>
  /** The exact body; null: it cannot be written again as it was, because a change of it was deleted. */
  body: string | null
  /** Null when no answer came. */
  response_headers: Record<string, string> | null
  response_body: string | null
  /** Whether the endpoint sent more than is kept. */
  response_is_cut: boolean
}

/**
 * What the attempts of a delivery sent and got, oldest first; those that are forgotten are left out.
 * @param attempt of these, one; default: all
 * @throws FeatureError not_found
 */
export async function readExchanges(
  db: Db,
  { id, accountId, attempt }: { id: string; accountId?: string | undefined; attempt?: number | undefined },
): Promise<StoredExchange[]> {
  const delivery = await db
    .selectFrom('deliveries')
    .innerJoin('alerts', 'alerts.id', 'alert_id')
    .select(['alert_id', 'change_ids', 'public_url', sql<AlertEvent>`alerts.event`.as('event')])
    .where('deliveries.id', '=', id)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .executeTakeFirst()
  if (!delivery) throw notFound('delivery', id)
  const rows = await db
    .selectFrom('delivery_exchanges')
    .select(['attempt', 'url', 'body_hash', 'response_body', 'response_is_cut'])
    .select([
      sql<Record<string, string>>`request_headers`.as('request_headers'),
      sql<Record<string, string> | null>`response_headers`.as('response_headers'),
      sql<number>`(1000 * extract(epoch from started_at))::float8`.as('started_ms'),
    ])
    .where('delivery_id', '=', id)
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt!))
    .orderBy('attempt')
    .execute()
  if (rows.length === 0) return []
  const changesJson = (await readAlertedChanges(db, [delivery])).get(delivery.alert_id)!
  return rows.map(({ body_hash, started_ms, ...row }) => {
    const body = alertText(delivery.event, changesJson, new Date(started_ms))
    const isExact = createHash('sha256').update(body).digest().equals(body_hash)
    return { ...row, body: isExact ? body : null }
  })
}

export const exchanges: AgedRows = { table: 'delivery_exchanges', at: 'started_at' }

/** Forgets of each account what is beyond its share: of those that were sent something lately, whose number grows. */
export async function deleteExcessExchanges(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from delivery_exchanges e using (
      select beyond.delivery_id, beyond.attempt
      from (
        select distinct account_id from delivery_exchanges
        where started_at > (select ratecard_now() - interval '2 hours')
      ) lively cross join lateral (
        select delivery_id, attempt from delivery_exchanges x where x.account_id = lively.account_id
        order by started_at desc offset ${exchangesPerAccountMax}::int
      ) beyond
      limit ${deletedAtATime}::int
    ) excess where (e.delivery_id, e.attempt) = (excess.delivery_id, excess.attempt)`.execute(db)
  return Number(numAffectedRows)
}
