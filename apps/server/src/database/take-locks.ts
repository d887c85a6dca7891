import { setTimeout } from 'node:timers/promises'
import { isDeadlock, isLockTimeout } from './connect.ts'

/**
 * For a transaction that takes many locks while others use the tables, in orders of their own: it gives up what it has
 * and begins again before PostgreSQL looks for a deadlock (after a second), which would end the query of another one.
 */
export const shortLockTimeout = "set local lock_timeout = '250ms'"

/**
 * @param attempt leaves no lock behind when it fails
 * @throws what the last attempt threw
 */
export async function takeLocks(attempt: () => Promise<unknown>, withinMs: number): Promise<void> {
  for (const deadline = Date.now() + withinMs; ; await setTimeout(50)) {
    try {
      return void (await attempt())
    } catch (error) {
      if (!(isLockTimeout(error) || isDeadlock(error)) || Date.now() > deadline) throw error
    }
  }
}
