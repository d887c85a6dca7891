import type { Db } from '../../database/connect.ts'
import { termsFor, type PlanTerms, type Plans } from './plans.ts'
import { listCurrentPlans } from './subscription-store.ts'

/** What an account may do by the plans that it has now. */
export async function readTerms(db: Db, plans: Plans, accountId: string): Promise<PlanTerms> {
  return termsFor(plans, await listCurrentPlans(db, accountId))
}
