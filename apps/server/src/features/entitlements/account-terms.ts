import type { Db } from '../../database/connect.ts'
import { termsFor, type PlanTerms } from './plans.ts'
import { listCurrentPlans } from './subscription-store.ts'

/** What an account may do by the plans that it has now. */
export async function readTerms(db: Db, accountId: string): Promise<PlanTerms> {
  return termsFor(await listCurrentPlans(db, accountId))
}
