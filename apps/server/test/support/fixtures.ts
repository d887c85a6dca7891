import { sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { parseChanges } from '../../src/features/changes/change-input.ts'
import { publishChanges } from '../../src/features/changes/publish-changes.ts'
import type { TestApi } from './api.ts'
import type { Customer } from './actors.ts'

// Common set-ups of several tests.

/** A change as in an operator's file, with the test's fields. */
export function changeFile(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    vendor: 'acme',
    product: 'acme/alpha',
    modality: 'llm',
    category: 'price_cut',
    severity: 3,
    title: 'Alpha is cheaper',
    summary: 'Input tokens fall from 0.25 to 0.20 USD.',
    impact_score: 40,
    ...values,
  }
}

/** Publishes changes as `ratecard changes publish` does, the last one newest, and returns their ids. */
export async function publish(db: Db, ...changes: Record<string, unknown>[]): Promise<string[]> {
  const input = parseChanges(changes)
  return db.transaction().execute((trx) => publishChanges(trx, input))
}

/** Lets a key of its own counter have used this many units of its daily quota, by listing prices. */
export async function spend(db: Db, { keyId }: Customer, units: number): Promise<void> {
  await sql`
    insert into usage_days (quota_subject, day, plan_used)
    values (${keyId}, (ratecard_now() at time zone 'utc')::date, ${units}::int)`.execute(db)
  await sql`
    insert into usage_ledger (quota_subject, day, key_id, endpoint, units, last_used_at)
    values (${keyId}, (ratecard_now() at time zone 'utc')::date, ${keyId}, 'prices', ${units}::int, ratecard_now())`.execute(
    db,
  )
}

export interface UsageBody {
  plan: string
  day: string
  daily_quota: { limit: number; used: number; remaining: number; reset_at: string }
  endpoints: { prices: number; changes: number; webhooks: number }
  metered_total: number
  topup: {
    remaining: number
    packs: { id: string; remaining: number; expires_at: string }[]
    purchase_url: string
  }
}

/** The answer of `GET /v1/usage` to this key. */
export async function usageOf(api: TestApi, { key }: { key: string }): Promise<UsageBody> {
  return (await api.request('/v1/usage', { key })).body as UsageBody
}
