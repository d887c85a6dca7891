import { readTerms } from '../../../../features/entitlements/account-terms.ts'
import { listLivePacks } from '../../../../features/metering/pack-store.ts'
import { listQuotas, listUsageByDay, readUtcDay } from '../../../../features/metering/usage-report-store.ts'
import { addDays, spanDaysDefault } from '../../../../features/metering/usage-span.ts'
import { listRecentFailures } from '../../../../features/webhooks/recent-failures.ts'
import type { Operation } from '../../operation.ts'

export const getOverview: Operation<'getOverview'> = async ({ member }, { db, plans }) => {
  const accountId = member.account.id
  const { day, ends_at } = await readUtcDay(db)
  const [{ dailyLimit: limit }, quotas, packs, days, failures] = await Promise.all([
    readTerms(db, plans, accountId),
    listQuotas(db, accountId),
    listLivePacks(db, accountId),
    listUsageByDay(db, accountId, { from: addDays(day, 1 - spanDaysDefault), to: day }),
    listRecentFailures(db, accountId),
  ])
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
