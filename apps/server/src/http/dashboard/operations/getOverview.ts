import { termsFor } from '../../../features/entitlements/plans.ts'
import { listCurrentPlans } from '../../../features/entitlements/subscription-store.ts'
import { listLivePacks } from '../../../features/metering/pack-store.ts'
import { listQuotas, listUsageByDay, readUtcDay } from '../../../features/metering/usage-report-store.ts'
import { addDays, spanDaysDefault } from '../../../features/metering/usage-span.ts'
import { listRecentFailures } from '../../../features/webhooks/recent-failures.ts'
import type { Operation } from '../operation.ts'

export const getOverview: Operation<'getOverview'> = async ({ member }, { db, plans }) => {
  const accountId = member.account.id
  const { day, ends_at } = await readUtcDay(db)
  const [current, quotas, packs, days, failures] = await Promise.all([
    listCurrentPlans(db, accountId),
    listQuotas(db, accountId),
    listLivePacks(db, accountId),
    listUsageByDay(db, accountId, { from: addDays(day, 1 - spanDaysDefault), to: day }),
    listRecentFailures(db, accountId),
  ])
  const limit = termsFor(plans, current).dailyLimit
  return {
    status: 200,
    body: {
      data: {
        day,
        resets_at: ends_at,
        quotas: quotas.map((quota) => ({ ...quota, limit })),
        used_today: days.filter((row) => row.day === day).reduce((sum, { units }) => sum + units, 0),
        packs: packs.map(({ id, units, remaining, state, purchased_at, expires_at }) => ({
          id,
          units,
          remaining,
          state,
          purchased_at,
          expires_at,
        })),
        days,
        failures,
      },
    },
  }
}
