import { packUnits, type MeteredEndpoint } from '@ratecard/contract/plans'
import type { Caller } from './accounts.ts'
import { fakeId } from './api-key.ts'
import { givenInstant, instantText, type FakeClock } from './clock.ts'
import type { Usage } from './rows.ts'

/** What one key has used on one UTC day. A rotated key goes on with the counter of the one before. */
export interface Counter {
  day: string
  planUsed: number
  endpoints: Record<MeteredEndpoint, number>
}

export interface Pack {
  id: string
  remaining: number
  expiresAt: string
}

/** A top-up pack to grant. */
export interface PackGrant {
  /** How many requests it holds; 50,000 unless said otherwise. */
  requests?: number | undefined
  /** When what is left lapses; 30 days from now unless said otherwise. */
  expiresAt?: Date | string | undefined
}

export function newCounter(): Counter {
  return { day: '', planUsed: 0, endpoints: { prices: 0, changes: 0, webhooks: 0 } }
}

/** The counter as of today: it starts again at every UTC midnight. */
export function today(counter: Counter, clock: FakeClock): Counter {
  if (counter.day !== clock.day()) Object.assign(counter, newCounter(), { day: clock.day() })
  return counter
}

/** The daily quota as the `X-RateLimit-*` headers tell it. */
export function readQuota({ counter, dailyLimit: limit }: Caller, clock: FakeClock, topup = false) {
  return {
    limit,
    // After a downgrade more may be used than the limit allows.
    remaining: Math.max(0, limit - today(counter, clock).planUsed),
    resetAtSeconds: clock.midnightMs() / 1000,
    topup,
  }
}

/** Takes one unit: of the day's quota, else of the oldest pack. Null when neither has one. */
export function takeUnit(caller: Caller, endpoint: MeteredEndpoint, clock: FakeClock) {
  const used = today(caller.counter, clock)
  const isLeft = used.planUsed < caller.dailyLimit
  const pack = isLeft ? undefined : livePacks(caller, clock)[0]
  if (isLeft) used.planUsed += 1
  else if (pack) pack.remaining -= 1
  else return null
  used.endpoints[endpoint] += 1
  return readQuota(caller, clock, pack !== undefined)
}

/** The packs that are neither empty nor expired, in the order in which they are used. */
function livePacks({ account }: Caller, clock: FakeClock): Pack[] {
  const now = clock.nowText()
  return account.packs.filter((pack) => pack.remaining > 0 && pack.expiresAt > now)
}

/** The body of `GET /v1/usage`: the very counters the headers are read from. */
export function toUsage(caller: Caller, plansUrl: string, clock: FakeClock): Usage {
  const { day, planUsed, endpoints } = today(caller.counter, clock)
  const { limit, remaining } = readQuota(caller, clock)
  const packs = livePacks(caller, clock)
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

const packLifeMs = 30 * 86_400_000

/** @param number counts the packs of the fake, for the id */
export function newPack(
  number: number,
  clock: FakeClock,
  { requests = packUnits, expiresAt = new Date(clock.nowMs() + packLifeMs) }: PackGrant,
): Pack {
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new RangeError('A pack holds at least 1 request.')
  return { id: fakeId('pack', number), remaining: requests, expiresAt: givenInstant('expiresAt', expiresAt) }
}
