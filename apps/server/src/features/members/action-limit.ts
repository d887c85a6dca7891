import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { AuditAction } from './audit-store.ts'

/** An action that an account may do `most` times in `minutes`. */
export interface ActionLimit {
  action: AuditAction
  most: number
  minutes: number
}

/**
 * Seconds until an account may repeat an action that costs others something; 0: now. The audit log counts for all
 * server processes: record the action in the same transaction. The account stays locked until that ends.
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
