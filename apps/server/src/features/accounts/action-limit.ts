import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import type { Acting, AuditAction } from '../audit/audit-store.ts'
import { tooOften } from '../feature-error.ts'
import { lockAccount } from './account-store.ts'

/** Something that an account may do so often in so many minutes, because it costs others. */
export interface ActionLimit {
  action: AuditAction
  most: number
  minutes: 1 | 60
}

/**
 * Bounds how often the users of an account do something; an operator may at any time. Note the action down in the same
 * transaction.
 * @throws FeatureError too_often
 */
export async function requireAllowance(
  trx: Trx,
  { accountId, actor }: Acting,
  limit: ActionLimit,
): Promise<void> {
  if (actor.kind !== 'user') return
  const seconds = await secondsUntilAllowed(trx, accountId, limit)
  if (seconds > 0)
    throw tooOften(`At most ${limit.most} ${limit.minutes === 1 ? 'a minute' : 'an hour'}.`, seconds)
}

/**
 * Seconds until an account may do something again; 0: it may now. By the audit log, so over all server processes. The
 * account stays locked until the transaction ends.
 */
export async function secondsUntilAllowed(
  trx: Trx,
  accountId: string,
  { action, most, minutes }: ActionLimit,
): Promise<number> {
  await lockAccount(trx, accountId)
  const row = await trx
    .selectFrom('audit_entries')
    .select(
      sql<number>`ceil(extract(epoch from at + make_interval(mins => ${minutes}) - ratecard_now()))::int`.as(
        'wait',
      ),
    )
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('at', '>', sql<string>`ratecard_now() - make_interval(mins => ${minutes})`)
    .orderBy('at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 0 : Math.max(1, row.wait)
}
