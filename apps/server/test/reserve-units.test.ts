import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { hashApiKey } from '../src/features/accounts/api-key.ts'
import { revokeApiKey, rotateApiKey } from '../src/features/accounts/api-key-store.ts'
import { putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { batchSessionConnector } from '../src/features/metering/batch-session.ts'
import type { BatchSession } from '../src/features/metering/reservation-batcher.ts'
import { realScheduler } from '../src/platform/scheduler.ts'
import { createBatchingMeter } from '../src/features/metering/meter.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import {
  readOutcome,
  releaseArguments,
  reserveArguments,
  type BatchOutcome,
  type Release,
  type UnitItem,
} from '../src/features/metering/unit-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, createKey, priceRecord, storePrices, type Customer } from './support/actors.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { ModelDatabase } from './meter-simulation/model-database.ts'
import { useDatabase } from './support/postgres.ts'

// The functions in the database that count units, against the model that the meter's simulation rests on.

const database = useDatabase()
const clock = useDatabaseClock(database)
const limits = { free: 7, developer: 20, scale: 40, team: 60, enterprise: 80 }
const startMs = Date.parse('2031-03-05T21:00:00Z')
const instant = (ms: number) => new Date(ms).toISOString()
const hashOf = (key: string) => hashApiKey(key).toString('hex')

/** A connection of its own, to the end of the test. */
async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function call(client: pg.Client, name: string, values: unknown[]): Promise<string | null> {
  const parameters = values.map((_, index) => `$${index + 1}`).join(', ')
  const { rows } = await client.query<{ result: string | null }>(
    `select ${name}(${parameters})::text as result`,
    values,
  )
  return rows[0]?.result ?? null
}

interface Batch {
  batcher: string
  number: number
}

const reserve = async (client: pg.Client, batch: Batch | null, items: UnitItem[]): Promise<BatchOutcome> =>
  readOutcome((await call(client, 'reserve_units', reserveArguments(batch, limits, items))) ?? '')
const release = (client: pg.Client, batch: Batch, releases: Release[]) =>
  call(client, 'release_units', releaseArguments(batch, releases))
const recover = (client: pg.Client, { batcher, number }: Batch) =>
  call(client, 'recover_batch', [batcher, number])

const item = ({ key }: { key: string }, values: Partial<UnitItem> = {}): UnitItem => ({
  keyHash: hashOf(key),
  endpoint: 'prices',
  plans: 31,
  version: null,
  want: 1,
  ...values,
})

const unitsOf = ({ items }: BatchOutcome) =>
  items.reduce((sum, got) => {
    if (typeof got === 'string') return sum
    return sum + got.planUnits + got.packUnits.reduce((units, pack) => units + pack.units, 0)
  }, 0)

/** All that a batch got, to be given back. */
const releasesOf = (outcome: BatchOutcome, items: readonly UnitItem[]): Release[] =>
  outcome.items.flatMap((got, index) => {
    if (typeof got === 'string') return []
    const { quotaSubject, keyId } = got
    const common = { quotaSubject, keyId, day: outcome.day, endpoint: items[index]?.endpoint ?? 'prices' }
    const plan = got.planUnits > 0 ? [{ ...common, packId: null, units: got.planUnits }] : []
    return [...plan, ...got.packUnits.map(({ packId, units }) => ({ ...common, packId, units }))]
  })

async function chargedTo(...keyIds: string[]): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_entries where key_id = any (${keyIds})`.execute(
    database.db,
  )
  return rows[0]?.units ?? 0
}

/** Resolves once a statement waits for a lock of another transaction. */
const somebodyWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
      return rows[0]?.waiting
    })
    .toBe(1)

const expectClean = async () => expect((await verifyLedger(database.db)).differences).toEqual([])

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('batch' as const),
        items: fc.array(
          fc.record({
            key: fc.integer({ min: 0, max: 5 }),
            endpoint: fc.constantFrom('prices' as const, 'changes' as const, 'webhooks' as const),
            plans: fc.constantFrom(31, 31, 30, 28),
            want: fc.integer({ min: 1, max: 9 }),
            version: fc.constantFrom('none', 'none', 'current', 'older'),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        giveBack: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.integer({ min: 1, max: 9 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('pack' as const),
        account: fc.integer({ min: 0, max: 1 }),
        units: fc.integer({ min: 1, max: 8 }),
        boughtHoursAgo: fc.integer({ min: 0, max: 3 }),
        validHours: fc.integer({ min: 1, max: 40 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('plan' as const), account: fc.integer({ min: 0, max: 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('revoke' as const), key: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
  { minLength: 3, maxLength: 14 },
)

test('Batches get, give back and write down what the model does, whatever they want and whatever happens between', async () => {
  const client = await openClient()
  let units = 0
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      let nowMs = startMs
      await clock.stand(instant(nowMs))
      const model = new ModelDatabase()
      const customers = [await createCustomer(database.db), await createCustomer(database.db)]
      const keys: { key: string; id: string; quotaSubject: string; accountId: string }[] = []
      for (const { accountId, key, keyId } of customers) {
        model.accounts.set(accountId, { plans: 0 })
        const second = await createKey(database.db, accountId)
        // The third has the counter of the second, which works on for a while.
        const third = await database.db.transaction().execute((trx) => rotateApiKey(trx, second.id, 86_400))
        keys.push({ key, id: keyId, quotaSubject: keyId, accountId })
        for (const { key, id } of [second, third]) keys.push({ key, id, quotaSubject: second.id, accountId })
      }
      for (const [index, key] of keys.entries())
        model.keys.set(hashOf(key.key), {
          ...key,
          hash: hashOf(key.key),
          revokedAtMs: index % 3 === 1 ? nowMs + 86_400_000 : null,
        })
      const batcher = randomUUID()
      let number = 0
      for (const step of script) {
        const { rows } = await sql<{ list: string; version: string }>`
          select list, version::text from list_versions`.execute(database.db)
        for (const { list, version } of rows) model.versions.set(list, Number(version))
        if (step.kind === 'time') {
          nowMs += step.hours * 3_600_000
          await clock.stand(instant(nowMs))
        } else if (step.kind === 'pack') {
          const accountId = customers[step.account]?.accountId ?? ''
          const purchasedMs = nowMs - step.boughtHoursAgo * 3_600_000
          const expiresMs = purchasedMs + step.validHours * 3_600_000
          const { id } = await insertPack(database.db, accountId, {
            units: step.units,
            purchasedAt: instant(purchasedMs),
            expiresAt: instant(expiresMs),
          })
          model.packs.push({
            id,
            accountId,
            purchasedMs,
            expiresMs,
            units: step.units,
            remaining: step.units,
          })
        } else if (step.kind === 'plan') {
          const accountId = customers[step.account]?.accountId ?? ''
          await putSubscription(database.db, accountId, 'scale', { from: instant(nowMs) })
          model.accounts.set(accountId, { plans: 4 })
        } else if (step.kind === 'revoke') {
          const key = keys[step.key]
          const known = model.keys.get(hashOf(key?.key ?? ''))
          if (!key || !known) continue
          await revokeApiKey(database.db, key.id)
          known.revokedAtMs = Math.min(known.revokedAtMs ?? Infinity, nowMs)
        } else {
          const items = step.items.map(({ key, endpoint, plans, want, version }) => {
            const current = model.versions.get(endpoint)
            const isFree = version === 'none' || current === undefined
            const wanted = isFree ? null : String(version === 'older' ? current - 1 : current)
            return item(keys[key] ?? { key: 'nobody' }, { endpoint, plans, want, version: wanted })
          })
          const outcome = await reserve(client, { batcher, number: (number += 1) }, items)
          expect(outcome).toEqual(readOutcome(model.reserveUnits({ batcher, number }, limits, items, nowMs)))
          units += unitsOf(outcome)
          if (step.giveBack) {
            // Every other item's, in an order of no account's or counter's.
            const releases = releasesOf(outcome, items)
              .filter((_, index) => index % 2 === 0)
              .toReversed()
            await release(client, { batcher, number: (number += 1) }, releases)
            model.releaseUnits({ batcher, number }, releases)
          }
          expect(await recover(client, { batcher, number })).toEqual(
            model.recoverBatch({ batcher, number }) && expect.any(String),
          )
        }
      }
      for (const { accountId } of customers) {
        const stored = await listPacks(database.db, accountId)
        const modelled = model.packs.filter((pack) => pack.accountId === accountId)
        expect(Object.fromEntries(stored.map((pack) => [pack.id, pack.remaining]))).toEqual(
          Object.fromEntries(modelled.map((pack) => [pack.id, pack.remaining])),
        )
      }
      expect(await chargedTo(...keys.map(({ id }) => id))).toBe(model.charged())
    }),
    { numRuns: 60 },
  )
  expect(units).toBeGreaterThan(500)
  await expectClean()
})

describe('A batch whose connection was lost', () => {
  const newBatch = () => ({ batcher: randomUUID(), number: 1 })

  test('is not carried out once it was settled, however late it arrives', async () => {
    const [client, late] = [await openClient(), await openClient()]
    const customer = await createCustomer(database.db, { packUnits: 5 })
    const batch = newBatch()
    expect(await recover(client, batch)).toBeNull()
    await expect(reserve(late, batch, [item(customer, { want: 10 })])).rejects.toThrow('given up')
    await expect(release(late, batch, [])).rejects.toThrow('given up')
    // Asked again, because the first answer was lost.
    expect(await recover(client, batch)).toBeNull()
    expect(await chargedTo(customer.keyId)).toBe(0)
    expect(unitsOf(await reserve(client, { ...batch, number: 2 }, [item(customer)]))).toBe(1)
    await expectClean()
  })

  test('has the outcome that it wrote down, as often as it is asked for', async () => {
    const client = await openClient()
    const customer = await createCustomer(database.db)
    const batch = newBatch()
    const outcome = await reserve(client, batch, [item(customer, { want: 10 })])
    for (let times = 0; times < 2; times += 1)
      expect(readOutcome((await recover(client, batch)) ?? '')).toEqual(outcome)
    const returned = { ...batch, number: 2 }
    await release(client, returned, releasesOf(outcome, [item(customer)]))
    for (let times = 0; times < 2; times += 1) expect(await recover(client, returned)).not.toBeNull()
    expect(await chargedTo(customer.keyId)).toBe(0)
  })

  test('keeps its outcome when a question about the one before it comes late', async () => {
    const client = await openClient()
    const customer = await createCustomer(database.db)
    const batch = newBatch()
    expect(await recover(client, batch)).toBeNull()
    const outcome = await reserve(client, { ...batch, number: 2 }, [item(customer)])
    expect(await recover(client, batch)).toBeNull()
    expect(readOutcome((await recover(client, { ...batch, number: 2 })) ?? '')).toEqual(outcome)
    await expect(reserve(client, { ...batch, number: 2 }, [item(customer)])).rejects.toThrow('given up')
  })

  test.each(['commit', 'rollback'] as const)('is settled by the %s of its open transaction', async (end) => {
    const [client, other] = [await openClient(), await openClient()]
    const customer = await createCustomer(database.db)
    const batch = newBatch()
    await other.query('begin')
    const outcome = await reserve(other, batch, [item(customer)])
    let settled: string | null | undefined
    const asked = recover(client, batch).then((text) => (settled = text))
    await somebodyWaits()
    expect(settled).toBeUndefined()
    await other.query(end)
    const text = await asked
    expect(text === null ? null : readOutcome(text)).toEqual(end === 'commit' ? outcome : null)
    expect(await chargedTo(customer.keyId)).toBe(end === 'commit' ? 1 : 0)
  })
})

test('Units of the plan and of several packs are given back to where they came from', async () => {
  await clock.stand(instant(startMs))
  const client = await openClient()
  const customer = await createCustomer(database.db)
  for (const units of [3, 4]) await insertPack(database.db, customer.accountId, { units })
  const items = [item(customer, { want: 9 }), item(customer, { want: 3, endpoint: 'changes' })]
  const batcher = randomUUID()
  const outcome = await reserve(client, { batcher, number: 1 }, items)
  expect(unitsOf(outcome)).toBe(12)
  expect(releasesOf(outcome, items)).toHaveLength(4)
  await release(client, { batcher, number: 2 }, releasesOf(outcome, items))
  expect(await chargedTo(customer.keyId)).toBe(0)
  expect((await listPacks(database.db, customer.accountId)).map(({ remaining }) => remaining).sort()).toEqual(
    [3, 4],
  )
  expect(await reserve(client, { batcher, number: 3 }, items)).toEqual(outcome)
  await expectClean()
})

test('A page of a state that an import has ended is not paid for', async () => {
  const client = await openClient()
  const customer = await createCustomer(database.db)
  const versionOf = async () => {
    const { rows } = await sql<{ version: string }>`
      select version::text from list_versions where list = 'prices'`.execute(database.db)
    return rows[0]?.version ?? ''
  }
  const version = await versionOf()
  expect((await reserve(client, null, [item(customer, { version })])).items).not.toEqual(['stale'])
  await storePrices(database.db, [priceRecord({ resource_id: `acme:${randomUUID()}` })])
  expect((await reserve(client, null, [item(customer, { version })])).items).toEqual(['stale'])
  expect((await reserve(client, null, [item(customer, { version: await versionOf() })])).items).not.toEqual([
    'stale',
  ])
  expect(await chargedTo(customer.keyId)).toBe(2)
})

test('A counter at its limit that is lowered while a batch waits for another stays out of the batch', async () => {
  await clock.stand(instant(startMs))
  const [client, other, third] = [await openClient(), await openClient(), await openClient()]
  const [exhausted, held] = [await createCustomer(database.db), await createCustomer(database.db)]
  const all = [item(exhausted, { want: limits.free })]
  const used = await reserve(client, null, all)
  await reserve(client, null, [item(held)])
  await other.query('begin')
  await reserve(other, null, [item(held)])
  // Two of one counter: the second would come after the counter that is waited for.
  const items = [item(exhausted), item(held), item(exhausted, { endpoint: 'changes' })]
  const outcome = reserve(client, null, items)
  await somebodyWaits()
  await release(third, { batcher: randomUUID(), number: 1 }, releasesOf(used, all))
  await other.query('commit')
  expect((await outcome).items).toMatchObject([{ planUnits: 0 }, { planUnits: 1 }, { planUnits: 0 }])
  await expectClean()
})

test('Batches, releases, writes and purchases at once never wait in a circle, and their sums are exact', async () => {
  await clock.stand(instant(startMs))
  const customers: Customer[] = []
  for (let n = 0; n < 3; n += 1) customers.push(await createCustomer(database.db, { packUnits: 60 }))
  const keys: { key: string; id: string; accountId: string }[] = []
  for (const { accountId, key, keyId } of customers) {
    const second = await createKey(database.db, accountId)
    const third = await database.db.transaction().execute((trx) => rotateApiKey(trx, second.id, 86_400))
    keys.push({ key, id: keyId, accountId })
    for (const { key, id } of [second, third]) keys.push({ key, id, accountId })
  }
  const pick = <T>(choices: readonly T[]) => choices[Math.floor(Math.random() * choices.length)] as T
  const some = (most: number) => 1 + Math.floor(Math.random() * most)
  const sessions: BatchSession[] = []
  let granted = 0
  const rounds = 60
  const batches = async () => {
    const session = await batchSessionConnector({
      connectionString: database.url,
      limits,
      lockTimeoutMs: 20_000,
    })()
    sessions.push(session)
    for (let number = 1; number <= rounds; number += 1) {
      const items = Array.from({ length: some(8) }, () => item(pick(keys), { want: some(3) }))
      const outcome = await session.reserve(number, items)
      granted += unitsOf(outcome)
      const releases = releasesOf(outcome, items).filter(() => Math.random() < 0.5)
      number += 1
      await session.release(number, releases)
      granted -= releases.reduce((sum, { units }) => sum + units, 0)
    }
  }
  const meter = createBatchingMeter({
    limits,
    connector: (lockTimeoutMs) =>
      batchSessionConnector({ connectionString: database.url, limits, lockTimeoutMs }),
    scheduler: realScheduler,
    onFailure: (error) => expect.unreachable(String(error)),
  })
  const writes = async () => {
    const db = connect({ connectionString: database.url })
    for (let n = 0; n < rounds; n += 1) {
      const { key, accountId } = pick(keys)
      const { want: _, ...request } = item({ key }, { endpoint: 'webhooks' })
      await db.transaction().execute(async (trx) => {
        const { kind } = await meter.reserveIn(trx, request)
        await sql`select from accounts where id = ${accountId} for no key update`.execute(trx)
        await sql`update accounts set name = 'Acme' where id = ${accountId}`.execute(trx)
        if (kind === 'granted') granted += 1
      })
    }
    await db.destroy()
  }
  const purchases = async () => {
    for (let n = 0; n < rounds / 3; n += 1)
      await insertPack(database.db, pick(keys).accountId, { units: some(5) })
  }
  await Promise.all([batches(), batches(), batches(), batches(), writes(), writes(), purchases()])
  for (const session of sessions) session.close()
  await meter.close()
  expect(await chargedTo(...keys.map(({ id }) => id))).toBe(granted)
  const { rows } = await sql<{ most: number }>`select max(plan_used) as most from usage_days`.execute(
    database.db,
  )
  expect(rows[0]?.most).toBeLessThanOrEqual(limits.enterprise)
  await expectClean()
})
