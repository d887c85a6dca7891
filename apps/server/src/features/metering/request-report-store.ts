import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
import { Id, Name, Timestamp, Units } from '../../platform/forms.ts'

/** A request of the log. */
export const LoggedRequest = z.strictObject({
  /** The `X-Request-Id` of its answer. */
  id: Id,
  at: Timestamp,
  key_id: Id,
  key_name: Name,
  key_last_four: z.string(),
  operation: z.string(),
  /** Path and query. Values of parameters that do not exist are hidden, and so is what looks like a key. */
  target: z.string(),
  /** The HTTP status; 499 when the client left before the answer. */
  status: z.int().min(100).max(599),
  /** The code in the answer; null: it was served. */
  error: z.string().nullable(),
  duration_ms: z.number().min(0),
})
export type LoggedRequest = z.infer<typeof LoggedRequest>

export interface RequestFilter {
  /** `served`, `refused`, `failed` (ours, or the client left), or an HTTP status. */
  status?: string | undefined
  operation?: string | undefined
  keyId?: string | undefined
}

const matches = ({ status, operation, keyId }: RequestFilter) => sql<boolean>`
  (${operation ?? null}::text is null or r.operation = ${operation ?? null})
  and (${keyId ?? null}::text is null or r.key_id = ${keyId ?? null})
  and case ${status ?? ''}
    when '' then true
    when 'served' then r.status < 400
    when 'refused' then r.status between 400 and 498
    when 'failed' then r.status > 498
    else r.status::text = ${status ?? ''}
  end`

/** @param cursor the last line of the page before; null: from the newest */
export async function listRequests(
  db: Db,
  accountId: string,
  filter: RequestFilter,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<LoggedRequest[]> {
  const after = cursor ? sql`and (r.at, r.id) < (${cursor.updatedAt}::timestamptz, ${cursor.id})` : sql``
  const { rows } = await sql<LoggedRequest>`
    select r.id, ${utcText('r.at')} as at, r.key_id, k.name as key_name, k.last_four as key_last_four, r.operation,
      r.target, r.status, nullif(r.error, '') as error, r.duration_ms
    from request_lines r join api_keys k on k.id = r.key_id and k.account_id = r.account_id
    where r.account_id = ${accountId} and ${matches(filter)} ${after}
    order by r.at desc, r.id desc
    limit ${limit}::int`.execute(db)
  return rows
}

/** How many requests there were in an hour, and how many of them have a line. */
export const RequestHour = z.strictObject({ hour: Timestamp, requests: Units, listed: Units })
export type RequestHour = z.infer<typeof RequestHour>

/**
 * The hours from `from` to `to` in which not every request has a line, newest first.
 * @param from an instant, and `to`: hours that contain them are included
 */
export async function listPartialHours(
  db: Db,
  accountId: string,
  filter: RequestFilter,
  { from, to }: { from: string; to: string },
): Promise<RequestHour[]> {
  const toHour = (at: unknown) => sql`date_trunc('hour', ${at}::timestamptz, 'UTC')`
  const { rows } = await sql<RequestHour>`
    select ${utcText('counted.hour')} as hour, counted.requests, coalesce(lines.listed, 0) as listed
    from (
      select r.hour, sum(r.requests) as requests from request_counts r
      where r.account_id = ${accountId} and r.hour between ${toHour(from)} and ${toHour(to)} and ${matches(filter)}
      group by r.hour
    ) counted
    left join (
      select ${toHour(sql`r.at`)} as hour, count(*) as listed from request_lines r
      where r.account_id = ${accountId} and r.at >= ${toHour(from)}
        and r.at < ${toHour(to)} + interval '1 hour' and ${matches(filter)}
      group by 1
    ) lines on lines.hour = counted.hour
    where counted.requests > coalesce(lines.listed, 0)
    order by counted.hour desc`.execute(db)
  return rows.map((row) => ({ ...row, requests: Number(row.requests), listed: Number(row.listed) }))
}

/** Requests with one outcome. */
export const RequestSum = z.strictObject({
  /** The HTTP status; 499 when the client left before the answer. */
  status: z.int().min(100).max(599),
  /** The code in the answer; null: it was served. */
  error: z.string().nullable(),
  requests: Units,
})
export type RequestSum = z.infer<typeof RequestSum>

/**
 * How many requests there were since then, by outcome, the most frequent first.
 * @param since the beginning of an hour
 */
export async function sumRequests(
  db: Db,
  accountId: string,
  filter: RequestFilter,
  since: { day: string } | { days: number },
): Promise<RequestSum[]> {
  const begin =
    'day' in since
      ? sql`${since.day}::date::timestamp at time zone 'UTC'`
      : sql`(select ratecard_now() - make_interval(days => ${since.days}::int))`
  const { rows } = await sql<RequestSum>`
    select r.status, nullif(r.error, '') as error, sum(r.requests) as requests
    from request_counts r
    where r.account_id = ${accountId} and r.hour >= ${begin} and ${matches(filter)}
    group by r.status, r.error
    order by requests desc, r.status, r.error`.execute(db)
  return rows.map((row) => ({ ...row, requests: Number(row.requests) }))
}

/** How many lines of the account there are in the log. */
export async function countLines(db: Db, accountId: string, filter: RequestFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from request_lines r
    where r.account_id = ${accountId} and ${matches(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}
