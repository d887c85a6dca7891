import { parseInstant } from '@ratecard/contract/instant'
import { packUnits, type MeteredEndpoint } from '@ratecard/contract/plans'
import { fakeId } from './api-key.ts'
import { instantText, type FakeClock } from './clock.ts'

/** What one key has used on one UTC day. A rotated key goes on with the counter of the one before. */
export interface Counter {
  day: string
  planUsed: number
  endpoints: Record<MeteredEndpoint, number>
}

export interface Pack {
  id: string
  remaining: number
  purchasedAt: string
  expiresAt: string
}

/** A top-up pack to grant. */
export interface PackGrant {
  /** How many requests it holds; 50,000 unless said otherwise. */
  requests?: number | undefined
  /** When what is left lapses; 30 days from now unless said otherwise. */
  expiresAt?: Date | string | undefined
}

/** The daily quota as the `X-RateLimit-*` headers tell it. */
export interface QuotaReading {
  limit: number
  remaining: number
  resetAtSeconds: number
  topup: boolean
}

export function newCounter(): Counter {
  return { day: '', planUsed: 0, endpoints: { prices: 0, changes: 0, webhooks: 0 } }
}

/** The counter as of today: it starts again at every UTC midnight. */
export function today(counter: Counter, clock: FakeClock): Counter {
  if (counter.day !== clock.day()) Object.assign(counter, newCounter(), { day: clock.day() })
  return counter
}

export function readQuota(counter: Counter, limit: number, clock: FakeClock, topup = false): QuotaReading {
  return {
    limit,
    // After a downgrade more may be used than the limit allows.
    remaining: Math.max(0, limit - today(counter, clock).planUsed),
    resetAtSeconds: clock.midnightMs() / 1000,
    topup,
  }
}

/** Takes one unit: of the day's quota, else of the oldest pack. Null when neither has one. */
export function takeUnit(
  { counter, packs, limit }: { counter: Counter; packs: readonly Pack[]; limit: number },
  endpoint: MeteredEndpoint,
  clock: FakeClock,
): QuotaReading | null {
  const used = today(counter, clock)
  const pack = used.planUsed < limit ? undefined : livePacks(packs, clock)[0]
  if (pack) pack.remaining -= 1
  else if (used.planUsed < limit) used.planUsed += 1
  else return null
  used.endpoints[endpoint] += 1
  return readQuota(counter, limit, clock, pack !== undefined)
}

/** The packs that are neither empty nor expired, in the order in which they are used. */
export function livePacks(packs: readonly Pack[], clock: FakeClock): Pack[] {
  const now = instantText(clock.nowMs() * 1000)
  return packs.filter((pack) => pack.remaining > 0 && pack.expiresAt > now)
}

const packLifeMs = 30 * 86_400_000

/** @param number counts the packs of the fake, for the id */
export function newPack(
  number: number,
  { requests = packUnits, expiresAt }: PackGrant,
  clock: FakeClock,
): Pack {
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new RangeError('A pack holds at least 1 request.')
  const nowMs = clock.nowMs()
  const expires =
    expiresAt === undefined
      ? instantText((nowMs + packLifeMs) * 1000)
      : parseInstant(expiresAt instanceof Date ? expiresAt.toISOString() : expiresAt)
  if (expires === null)
    throw new TypeError('`expiresAt` must be a Date or a time such as 2026-01-31T12:00:00Z.')
  return {
    id: fakeId('pack', number),
    remaining: requests,
    purchasedAt: instantText(nowMs * 1000),
    expiresAt: expires,
  }
}
