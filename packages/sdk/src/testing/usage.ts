import type { Caller } from './accounts.ts'
import { instantText, type FakeClock } from './clock.ts'
import { livePacks, readQuota, today } from './meter.ts'
import type { Usage } from './rows.ts'

/** The body of `GET /v1/usage`: the very counters the headers are read from. */
export function usageOf(caller: Caller, plansUrl: string, clock: FakeClock): Usage {
  const { day, planUsed, endpoints } = today(caller.counter, clock)
  const { limit, remaining } = readQuota(caller.counter, caller.dailyLimit, clock)
  const packs = livePacks(caller.account.packs, clock)
  return {
    schema_version: 1,
    plan: caller.isPaid ? 'developer' : 'api_free',
    day,
    daily_quota: { limit, used: planUsed, remaining, reset_at: instantText(clock.midnightMs() * 1000) },
    endpoints: { ...endpoints },
    metered_total: endpoints.prices + endpoints.changes + endpoints.webhooks,
    topup: {
      remaining: packs.reduce((sum, pack) => sum + pack.remaining, 0),
      packs: packs.map(({ id, remaining, expiresAt }) => ({ id, remaining, expires_at: expiresAt })),
      purchase_url: plansUrl,
    },
  }
}
