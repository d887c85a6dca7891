import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { connect, type Db } from '../../../../apps/server/src/database/connect.ts'
import { revokeApiKey } from '../../../../apps/server/src/features/accounts/api-key-store.ts'
import {
  endSubscription,
  listCurrentPlans,
  putSubscription,
} from '../../../../apps/server/src/features/entitlements/subscription-store.ts'
import { insertPack } from '../../../../apps/server/src/features/metering/pack-store.ts'
import { writePrices } from '../../../../apps/server/src/catalog/write-prices.ts'
import type { PriceRecord } from '../../../../apps/server/src/catalog/price-record.ts'
import { generateSecretsKey } from '../../../../apps/server/src/features/webhooks/secret-box.ts'
import { createCustomer, createKey } from '../../../../apps/server/test/support/actors.ts'
import type { DatabaseClock } from '../../../../apps/server/test/support/database-clock.ts'
import { setup } from '../../../../apps/server/test/support/global-setup.ts'
import {
  createDatabase,
  dropDatabase,
  urlOfDatabase,
  type TestDatabase,
} from '../../../../apps/server/test/support/postgres.ts'
import { startServer } from '../../../../apps/server/test/support/process.ts'
import { changeFile, publish, spend } from '../../../../apps/server/test/support/fixtures.ts'
import type { FakeChange, FakePlan, FakePrice } from '../../src/testing.ts'
import type { Target, TargetCustomer } from './target.ts'

// The server as people run it: a process of its own, on a PostgreSQL of its own. Only its clock is held still.

type Defer = (end: () => Promise<void>) => void

/** A database with our schema, on a PostgreSQL server that ends with the tests. */
export async function openDatabase(defer: Defer): Promise<TestDatabase> {
  const provided = {} as { postgresUrl: string; templateDatabase: string }
  const project = { provide: (name: keyof typeof provided, value: string) => (provided[name] = value) }
  defer(await setup(project as unknown as TestProject))
  const { postgresUrl, templateDatabase } = provided
  const name = `ratecard_test_${randomBytes(6).toString('hex')}`
  await createDatabase(postgresUrl, name, templateDatabase)
  defer(() => dropDatabase(postgresUrl, name))
  const url = urlOfDatabase(postgresUrl, name)
  const db = connect({ connectionString: url })
  defer(() => db.destroy())
  return { url, db }
}

export async function startRealTarget(
  { url, db }: TestDatabase,
  clock: DatabaseClock,
  defer: Defer,
): Promise<Target> {
  const env = { DATABASE_URL: url, SECRETS_KEY: generateSecretsKey() }
  const server = await startServer(env, ['--no-worker'], defer)
  await isReady(server.adminUrl)
  const stamps = { prices: new Stamps(), changes: new Stamps() }
  let now = ''
  return {
    name: 'the real server',
    baseUrl: server.url.replace('127.0.0.1', 'localhost'),
    fetch: (path, init) => fetch(server.url + path, init),
    createCustomer: (plan) => customer(db, plan),
    putPrices: (...prices) => putPrices(db, prices, (count) => stamps.prices.next(now, count)),
    putChanges: (...changes) => putChanges(db, changes, (count) => stamps.changes.next(now, count)),
    setClock: async (instant) => {
      now = instant
      await clock.stand(instant)
    },
  }
}

/** Until it has seen its database, the server answers 503. */
async function isReady(adminUrl: string): Promise<void> {
  while (!(await fetch(`${adminUrl}/ready`)).ok) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The instants that rows would have if the feeds, too, looked at the clock that stands still. */
class Stamps {
  #last = 0

  next(now: string, count: number): string[] {
    const first = Math.max(Date.parse(now) * 1_000, this.#last + 1)
    this.#last = first + count - 1
    return Array.from({ length: count }, (_, index) => {
      const micros = first + index
      const text = new Date(Math.floor(micros / 1_000)).toISOString().slice(0, -1)
      return `${text}${String(micros % 1_000).padStart(3, '0')}Z`
    })
  }
}

async function putPrices(db: Db, prices: FakePrice[], stamps: (count: number) => string[]): Promise<void> {
  const amount = (value: number | null | undefined) => (value == null ? null : String(value))
  const records = prices.map((price): PriceRecord => ({
    resource_id: price.resource_id,
    product_id: price.product_id ?? null,
    vendor: price.vendor ?? 'unknown',
    platform: price.platform ?? null,
    modality: (price.modality ?? null) as PriceRecord['modality'],
    region: price.region ?? null,
    unit: price.unit ?? null,
    input_per_mtok: amount(price.input_per_mtok),
    output_per_mtok: amount(price.output_per_mtok),
    cached_input_per_mtok: amount(price.cached_input_per_mtok),
    image_per_unit: amount(price.image_per_unit),
    audio_per_min: amount(price.audio_per_min),
    video_per_sec: amount(price.video_per_sec),
    currency: price.currency === undefined ? 'USD' : price.currency,
    source_url: price.source_url ?? null,
    effective_at: price.effective_at ?? null,
  }))
  const writes = records.map((record) => ({ record, source: 'test', rates: [] }))
  const observedAt = new Date().toISOString()
  const moved = new Set(
    await db.transaction().execute((trx) => writePrices(trx, writes, { runId: null, observedAt })),
  )
  const movers = records.filter((record) => moved.has(record.resource_id))
  const instants = stamps(movers.length)
  for (const [index, { resource_id }] of movers.entries()) {
    await db
      .updateTable('prices')
      .set({ updated_at: instants[index] ?? '' })
      .where('resource_id', '=', resource_id)
      .execute()
  }
}

async function putChanges(db: Db, changes: FakeChange[], stamps: (count: number) => string[]): Promise<void> {
  const ids = await publish(db, ...changes.map((change) => changeFile(asFile(change))))
  const instants = stamps(ids.length)
  for (const [index, id] of ids.entries()) {
    const instant = instants[index] ?? ''
    const change = changes[index]
    await db
      .updateTable('changes')
      .set({
        created_at: instant,
        updated_at: instant,
        ...(change?.first_seen === undefined && { first_seen: instant }),
        ...(change?.last_seen === undefined && { last_seen: change?.first_seen ?? instant }),
      })
      .where('id', '=', id)
      .execute()
    await db
      .updateTable('change_alternatives')
      .set({ created_at: instant })
      .where('change_id', '=', id)
      .execute()
  }
}

function asFile({ alternatives, ...change }: FakeChange): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return {
    vendor: change.product?.split('/')[0],
    ...given,
    ...(alternatives && { alternatives: alternatives.map((item, index) => ({ rank: index + 1, ...item })) }),
  }
}

async function customer(db: Db, plan: FakePlan): Promise<TargetCustomer> {
  const made = await createCustomer(db, plan === 'free' ? {} : { plan })
  const { accountId } = made
  return {
    key: made.key,
    createKey: async () => (await createKey(db, accountId)).key,
    revokeKey: async () => void (await revokeApiKey(db, made.keyId)),
    setPlan: async (next) => {
      for (const old of await listCurrentPlans(db, accountId)) await endSubscription(db, accountId, old)
      if (next !== 'free') await putSubscription(db, accountId, next, {})
    },
    grantPack: async (units, expiresAt) => void (await insertPack(db, accountId, { units, expiresAt })),
    setUsed: (requests) => spend(db, made, requests),
  }
}
