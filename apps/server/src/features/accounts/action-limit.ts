import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import type { Acting, AuditAction } from '../audit/audit-store.ts'
import { tooOften } from '../feature-error.ts'
import { lockAccount } from './account-store.ts'

/** Something that an account may do so often in so many minutes, because it costs others. */
export interface ActionLimit {
  action: AuditAction
  /** What it makes, in the plural. */
  what: string
  most: number
  minutes: 1 | 60
}

/**
 * Bounds how often the users of an account do something. By the audit log, so over all server processes: note the action
 * down in the same transaction. The account stays locked until that ends. An operator may at any time.
 * @throws FeatureError too_often
 */
export async function requireAllowance(
  trx: Trx,
  { accountId, actor }: Acting,
  { action, what, most, minutes }: ActionLimit,
): Promise<void> {
  if (actor.kind !== 'user') return
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
  const rule = `At most ${most} ${what} ${minutes === 1 ? 'a minute' : 'an hour'}.`
  if (row) throw tooOften(rule, Math.max(1, row.wait))
}
