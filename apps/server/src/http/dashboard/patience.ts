import type { Trx } from '../../database/connect.ts'
import { secondsUntilAllowed, type ActionLimit } from '../../features/members/action-limit.ts'
import { tooOften } from './errors.ts'

/**
 * Bounds how often an account makes us send something on demand, or ask somebody else's server.
 * @throws DashboardError too_many_attempts
 */
export async function requirePatience(trx: Trx, accountId: string, limit: ActionLimit): Promise<void> {
  const seconds = await secondsUntilAllowed(trx, accountId, limit)
  if (seconds === 0) return
  throw tooOften(seconds, `At most ${limit.most} ${limit.minutes === 1 ? 'a minute' : 'an hour'}.`)
}
