import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { Caller } from '../entitlements/caller-store.ts'
import { rateLimitOf, type RateLimit } from './rate-limit.ts'

export const meteredEndpoints = ['prices', 'changes', 'webhooks'] as const
export type MeteredEndpoint = (typeof meteredEndpoints)[number]

export interface Reservation {
  granted: boolean
  rateLimit: RateLimit
}

/**
 * Takes one unit for a request of this caller, decided and recorded inside PostgreSQL (`reserve_unit` in the
 * migrations): durable when this resolves outside a transaction, undone with the transaction inside one.
 */
export async function reserve(db: Db, caller: Caller, endpoint: MeteredEndpoint): Promise<Reservation> {
  const limit = caller.terms.dailyLimit
  const { rows } = await sql<{ source: 'plan' | 'topup' | 'denied'; day: string; plan_used: number }>`
    select source, day::text as day, plan_used
    from reserve_unit(${caller.quotaSubject}, ${caller.keyId}, ${caller.accountId}, ${limit}, ${endpoint})`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw new Error('The reservation returned no row.')
  return {
    granted: row.source !== 'denied',
    rateLimit: rateLimitOf({ limit, planUsed: row.plan_used, day: row.day, topup: row.source === 'topup' }),
  }
}
