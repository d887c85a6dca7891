import { LastOwner } from '../../features/members/member-store.ts'
import { DashboardError } from './errors.ts'

/** @throws DashboardError last_owner in place of the store's refusal */
export async function keepAnOwner<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof LastOwner)) throw error
    throw new DashboardError('last_owner', { cause: error })
  }
}
