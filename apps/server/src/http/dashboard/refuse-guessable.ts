import { isGuessable } from '../../features/members/guessable-password.ts'
import { DashboardError } from './errors.ts'

/** @throws DashboardError for a new password that is among the first that are tried */
export async function refuseGuessable(password: string, known: readonly string[]): Promise<void> {
  if (!(await isGuessable(password, known))) return
  throw new DashboardError('invalid_request', {
    message:
      'This password is too easy to guess. Take four words that do not belong together, or let your password manager make one.',
  })
}
