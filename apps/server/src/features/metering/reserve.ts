import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { Caller } from '../entitlements/caller-store.ts'
import { rateLimitOf, type RateLimit } from './rate-limit.ts'

export const meteredEndpoints = ['prices', 'changes', 'webhooks'] as const
export type MeteredEndpoint = (typeof meteredEndpoints)[number]

export interface Reservation {
  granted: boolean
  rateLimit: RateLimit
  /** Seconds to the end of the day, at least 1: by the database's clock, as the day is. */
  secondsToReset: number
}

interface ReservationRow {
  source: 'plan' | 'topup' | 'denied'
  day: string
  plan_used: number
  seconds_to_reset: number
}

/**
 * Takes one unit for a request of this caller, decided and recorded inside PostgreSQL (`reserve_unit` in the
 * migrations): durable when this resolves outside a transaction, undone with the transaction inside one.
 */
export async function reserve(db: Db, caller: Caller, endpoint: MeteredEndpoint): Promise<Reservation> {
  const limit = caller.terms.dailyLimit
  const { rows } = await sql<ReservationRow>`
    select source, day::text as day, plan_used,
      greatest(1, ceil(extract(epoch from (day + 1)::timestamp at time zone 'utc' - ratecard_now())))::int as seconds_to_reset
    from reserve_unit(${caller.quotaSubject}, ${caller.keyId}, ${caller.accountId}, ${limit}, ${endpoint})`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw new Error('The reservation returned no row.')
  return {
    granted: row.source !== 'denied',
    rateLimit: rateLimitOf({ limit, planUsed: row.plan_used, day: row.day, topup: row.source === 'topup' }),
    secondsToReset: row.seconds_to_reset,
  }
}
