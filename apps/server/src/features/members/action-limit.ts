import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { AuditAction } from './audit-store.ts'

/** Something that an account may do so often in so many minutes. */
export interface ActionLimit {
  action: AuditAction
  most: number
  minutes: number
}

/**
 * Seconds until an account may do something again that costs others; 0: it may now. By the audit log, so over all
 * server processes: note the action down in the same transaction. The account stays locked until that ends.
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
