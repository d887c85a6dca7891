import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'
import type { RequestCount, RequestLine } from './request-recorder.ts'

/** What is kept of an account's requests. */
export const requestsKept = {
  days: 7,
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

/**
 * Forgets requests that are old, and the oldest of accounts that have very many. Each statement deletes a bounded
 * number of rows; what is left waits for the next time.
 */
export async function deleteOldRequests(db: Db): Promise<number> {
  // Each in a query of its own, which is asked once: the clock is read anew for each row else, and no index is used.
  const before = sql`(select ratecard_now() - make_interval(days => ${requestsKept.days}::int))`
  const lively = sql`
    select distinct account_id from request_counts where hour > (select ratecard_now() - interval '2 hours')`
  const statements = [
    sql`
      delete from request_lines l using (
        select account_id, at, id from request_lines where at < ${before} order by at limit ${deletedAtATime}::int
      ) old where (l.account_id, l.at, l.id) = (old.account_id, old.at, old.id)`,
    sql`
      delete from request_counts c using (
        select * from request_counts where hour < ${before} order by hour limit ${deletedAtATime}::int
      ) old
      where (c.account_id, c.hour, c.key_id, c.operation, c.status, c.error)
        = (old.account_id, old.hour, old.key_id, old.operation, old.status, old.error)`,
    // Of the accounts of late, whose number grows.
    sql`
      with last as materialized (
        select lively.account_id, (
          select n.at from request_lines n where n.account_id = lively.account_id
          order by n.at desc, n.id desc offset ${requestsKept.lines}::int limit 1
        ) as at
        from (${lively}) lively
      )
      delete from request_lines l using last where l.account_id = last.account_id and l.at <= last.at`,
    sql`
      with last as materialized (
        select lively.account_id, (
          select n.hour from request_counts n where n.account_id = lively.account_id
          order by n.hour desc offset ${requestsKept.counts}::int limit 1
        ) as hour
        from (${lively}) lively
      )
      delete from request_counts c using last where c.account_id = last.account_id and c.hour <= last.hour`,
  ]
  let deleted = 0
  for (const statement of statements) deleted += Number((await statement.execute(db)).numAffectedRows ?? 0)
  return deleted
}

/** Nothing of a deleted account's requests is left. */
export async function deleteRequestsOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('request_lines').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('request_counts').where('account_id', '=', accountId).execute()
}
