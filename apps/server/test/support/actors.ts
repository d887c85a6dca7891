import type { Db } from '../../src/database/connect.ts'
import { insertAccount } from '../../src/features/accounts/account-store.ts'
import { insertApiKey, type NewApiKey } from '../../src/features/accounts/api-key-store.ts'
import type { PaidPlan } from '../../src/features/entitlements/plans.ts'
import { putSubscription } from '../../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../../src/features/metering/pack-store.ts'
import type { PriceRecord } from '../../src/catalog/price-record.ts'
import { writePrices } from '../../src/catalog/write-prices.ts'

/** A customer with a key, made the way an operator makes one. */
export interface Customer {
  accountId: string
  key: string
  keyId: string
}

export interface CustomerOptions {
  plan?: PaidPlan
  /** Requests in a pack that is bought along. */
  packUnits?: number
}

export async function createCustomer(db: Db, { plan, packUnits }: CustomerOptions = {}): Promise<Customer> {
  const account = await insertAccount(db, 'Acme')
  if (plan) await putSubscription(db, account.id, plan, {})
  if (packUnits !== undefined) await insertPack(db, account.id, { units: packUnits })
  const key = await createKey(db, account.id)
  return { accountId: account.id, key: key.key, keyId: key.id }
}

const keysMax = 1_000

export async function createKey(db: Db, accountId: string): Promise<NewApiKey> {
  return db.transaction().execute((trx) => insertApiKey(trx, accountId, 'test', keysMax))
}

/** An ordinary price record, with the test's fields. */
export function priceRecord(values: Partial<PriceRecord> & Pick<PriceRecord, 'resource_id'>): PriceRecord {
  return {
    product_id: 'acme/alpha',
    vendor: 'acme',
    platform: 'acme',
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: '0.2',
    output_per_mtok: '1.25',
    cached_input_per_mtok: null,
    image_per_unit: null,
    audio_per_min: null,
    video_per_sec: null,
    currency: 'USD',
    source_url: 'https://acme.example/pricing',
    effective_at: null,
    ...values,
  }
}

export async function storePrices(db: Db, records: PriceRecord[]): Promise<void> {
  const writes = records.map((record) => ({ record, source: 'test', rates: [] }))
  await db
    .transaction()
    .execute((trx) => writePrices(trx, writes, { runId: null, observedAt: new Date().toISOString() }))
}
