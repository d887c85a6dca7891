import type { Trx } from '../../database/connect.ts'
import { secondsUntilAllowed, type Acting, type AuditAction } from '../audit/audit-store.ts'
import { tooOften } from '../feature-error.ts'
import { lockAccount } from './account-store.ts'

/** An action that an account may take so often in so many minutes, because it costs others. */
export interface ActionLimit {
  action: AuditAction
  most: number
  minutes: 1 | 60
}

/**
 * Bounds how often the users of an account take an action; an operator may at any time. Record the action in the same
 * transaction: the account stays locked until that ends.
 * @throws FeatureError too_often
 */
export async function requireAllowance(
  trx: Trx,
  { accountId, actor }: Acting,
  { action, most, minutes }: ActionLimit,
): Promise<void> {
  if (actor.kind !== 'user') return
  await lockAccount(trx, accountId)
  const seconds = await secondsUntilAllowed(trx, accountId, { action }, { most, minutes })
  if (seconds > 0) throw tooOften(`At most ${most} ${minutes === 1 ? 'a minute' : 'an hour'}.`, seconds)
}
