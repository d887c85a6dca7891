import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { listKeyRecords } from '../../../features/metering/key-record-store.ts'
import type { Operation } from '../operation.ts'

export const listKeys: Operation<'listKeys'> = async ({ member }, { db, plans }) => {
  const [data, current] = await Promise.all([
    listKeyRecords(db, member.account.id),
    listCurrentPlans(db, member.account.id),
  ])
  return {
    status: 200,
    body: {
      data,
      active: data.filter(({ state }) => state === 'active').length,
      active_max: termsFor(plans, current).keysMax,
    },
  }
}
