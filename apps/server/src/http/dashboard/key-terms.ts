import type { Trx } from '../../database/connect.ts'
import { lockAccount } from '../../features/accounts/account-store.ts'
import { secondsUntilNewKey } from '../../features/accounts/api-key-store.ts'
import { tooOften } from './errors.ts'

/**
 * Bounds how many keys an account makes a day: revoked ones are kept for as long as the account is. It stays locked.
 * @throws DashboardError too_many_attempts
 */
export async function requireKeyAllowance(trx: Trx, accountId: string): Promise<void> {
  await lockAccount(trx, accountId)
  const seconds = await secondsUntilNewKey(trx, accountId)
  if (seconds > 0) throw tooOften(seconds, 'An account makes at most 100 keys in 24 hours.')
}
