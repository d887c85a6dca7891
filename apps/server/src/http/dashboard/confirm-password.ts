import type { Db } from '../../database/connect.ts'
import { returnAttempt, type AttemptLimit } from '../../features/members/attempt-store.ts'
import { isPresentPassword } from '../../features/members/user-store.ts'
import { DashboardError } from './errors.ts'
import { spend } from './limit-attempts.ts'

// A stranger at a signed-in browser must not find out the password.
const passwordTries: AttemptLimit = { what: 'present password', max: 10, seconds: 3_600 }

/**
 * Runs what only the present password opens, and counts it when that is wrong.
 * @throws DashboardError too_many_attempts, or what `work` throws
 */
export async function withPasswordTries<T>(db: Db, userId: string, work: () => Promise<T>): Promise<T> {
  await spend(db, passwordTries, userId)
  const result = await work()
  await returnAttempt(db, passwordTries, userId)
  return result
}

export function wrongPassword(): DashboardError {
  return new DashboardError('invalid_request', { message: 'The present password is wrong.' })
}

/** @throws DashboardError invalid_request when the password is not the present one, or too_many_attempts */
export async function requirePassword(db: Db, userId: string, password: string): Promise<void> {
  await withPasswordTries(db, userId, async () => {
    if (!(await isPresentPassword(db, userId, password))) throw wrongPassword()
  })
}
