import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { hasFailed } from './resend-store.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { Id, OptionalTimestamp, Timestamp } from '../../platform/forms.ts'

/** A delivery whose last attempt failed. */
export const Failure = z.strictObject({
  delivery_id: Id,
  webhook_id: Id,
  /** The name of the subscription; null: it goes by its address. */
  name: z.string().nullable(),
  url: z.string(),
  /** The title of the first change it tells of; null: that is gone. */
  title: z.string().nullable(),
  change_count: z.int().min(1).max(100),
  /** `pending`: it is tried again. `exhausted`: it was given up. */
  state: z.enum(['pending', 'exhausted']),
  error: z.string(),
  at: Timestamp,
  /** When it is tried again; null: it is not. */
  next_attempt_at: OptionalTimestamp,
})
export type RecentFailure = z.infer<typeof Failure>

const failuresMax = 10
const recent = sql`interval '7 days'`

/** What failed in the last 7 days at the webhooks that the account has, newest first. */
export async function listRecentFailures(db: Db, accountId: string): Promise<RecentFailure[]> {
  // Per webhook, to walk its index from the newest on: an account has few of them, and any number of deliveries.
  const { rows } = await sql<RecentFailure>`
    select failed.id as delivery_id, w.id as webhook_id, w.name, w.url, failed.state, failed.error,
      ${utcText('failed.started_at')} as at, ${utcTextOrNull('failed.next_attempt_at')} as next_attempt_at,
      (select title from changes c where c.id = failed.change_ids[1]) as title,
      cardinality(failed.change_ids) as change_count
    from webhooks w cross join lateral (
      select d.id, d.state, d.next_attempt_at, a.started_at, a.error_class || ': ' || a.error as error,
        alerts.change_ids
      from deliveries d join delivery_attempts a on a.delivery_id = d.id and a.attempt = d.attempts
        join alerts on alerts.id = d.alert_id
      where d.webhook_id = w.id and d.account_id = w.account_id
        and d.created_at > ratecard_now() - ${recent}
        and d.state in ('pending', 'exhausted') and a.error_class is not null
        -- What was sent again is told of by its latest delivery.
        and (d.state = 'pending' or ${hasFailed})
      order by d.created_at desc, d.id desc
      limit ${failuresMax}
    ) failed
    where w.account_id = ${accountId}
    order by failed.started_at desc, failed.id desc
    limit ${failuresMax}`.execute(db)
  return rows
}
