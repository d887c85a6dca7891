import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { lockAccount } from '../accounts/account-store.ts'
import type { AuditAction } from './audit-store.ts'

/**
 * Seconds until an account may do something again that costs others; 0: it may now. By the audit log, so over all
 * server processes: note the action down in the same transaction. The account stays locked until that ends.
 */
export async function secondsUntilAllowed(
  trx: Trx,
  accountId: string,
  { action, perMinute }: { action: AuditAction; perMinute: number },
): Promise<number> {
  await lockAccount(trx, accountId)
  const row = await trx
    .selectFrom('audit_entries')
    .select(sql<number>`ceil(extract(epoch from at + interval '1 minute' - ratecard_now()))::int`.as('wait'))
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('at', '>', sql<string>`ratecard_now() - interval '1 minute'`)
    .orderBy('at', 'desc')
    .offset(perMinute - 1)
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 0 : Math.max(1, row.wait)
}
