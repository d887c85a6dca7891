import { readUsage } from '../../features/metering/usage-store.ts'
import type { Operation } from '../pipeline/operation.ts'

export const getUsage: Operation<'getUsage'> = async ({ caller, setRateLimit }, { db, topupUrl }) => {
  const usage = await readUsage(db, caller)
  const { rateLimit, endpoints, packs } = usage
  setRateLimit(rateLimit)
  return {
    status: 200,
    body: {
      schema_version: 1,
      plan: caller.terms.usageName,
      day: usage.day,
      daily_quota: {
        limit: rateLimit.limit,
        used: usage.planUsed,
        remaining: rateLimit.remaining,
        reset_at: new Date(rateLimit.resetAtSeconds * 1_000).toISOString().replace('Z', '000Z'),
      },
      endpoints,
      metered_total: endpoints.prices + endpoints.changes + endpoints.webhooks,
      topup: {
        remaining: packs.reduce((sum, pack) => sum + pack.remaining, 0),
        packs,
        purchase_url: topupUrl,
      },
    },
  }
}
