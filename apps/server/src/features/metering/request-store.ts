import { sql } from 'kysely'
import type { AgedRows } from '../../database/aged-rows.ts'
import type { Db, Trx } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'
import type { RequestCount, RequestLine } from './request-recorder.ts'

/** What is kept of an account's requests at most, however young they are. */
export const requestsKept = {
  /** The newest. */
  lines: 10_000,
  /** The newest, each of an hour, a key, an operation and a status. */
  counts: 20_000,
} as const

/** Writes down what a process has seen of requests. */
export async function recordRequests(db: Db, counts: RequestCount[], lines: RequestLine[]): Promise<void> {
  await sql`select record_requests(${JSON.stringify(counts)}::jsonb, ${JSON.stringify(lines)}::jsonb)`.execute(
    db,
  )
}

export const oldLines: AgedRows = { table: 'request_lines', at: 'at' }
export const oldCounts: AgedRows = { table: 'request_counts', at: 'hour' }

// Of the accounts of late, whose number grows.
const lively = sql`
  select distinct account_id from request_counts where hour > (select ratecard_now() - interval '2 hours')`

// The last row that stays is found in the index alone, so an account that has few beyond it, or none, costs little.

/** Forgets the oldest lines of accounts that have very many, a bounded number of rows. */
export async function deleteExcessLines(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from request_lines where ctid = any (array(
      select beyond.ctid from (${lively}) lively cross join lateral (
        select n.at, n.id from request_lines n where n.account_id = lively.account_id
        order by n.at desc, n.id desc offset ${requestsKept.lines - 1}::int limit 1
      ) kept cross join lateral (
        select n.ctid from request_lines n
        where n.account_id = lively.account_id and (n.at, n.id) < (kept.at, kept.id)
      ) beyond
      limit ${deletedAtATime}::int
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** The same of counts. One that counts on meanwhile is a row of this hour, which is the newest, and stays. */
export async function deleteExcessCounts(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from request_counts where ctid = any (array(
      select beyond.ctid from (${lively}) lively cross join lateral (
        select n.hour, n.key_id, n.operation, n.status, n.error from request_counts n
        where n.account_id = lively.account_id
        order by n.hour desc, n.key_id desc, n.operation desc, n.status desc, n.error desc
        offset ${requestsKept.counts - 1}::int limit 1
      ) kept cross join lateral (
        select n.ctid from request_counts n
        where n.account_id = lively.account_id and (n.hour, n.key_id, n.operation, n.status, n.error)
          < (kept.hour, kept.key_id, kept.operation, kept.status, kept.error)
      ) beyond
      limit ${deletedAtATime}::int
    ))`.execute(db)
  return Number(numAffectedRows)
}

/** Nothing of a deleted account's requests is left. */
export async function deleteRequestsOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('request_lines').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('request_counts').where('account_id', '=', accountId).execute()
}
