import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { connect } from '../src/database/connect.ts'
import { rotateApiKey } from '../src/features/accounts/api-key-store.ts'
import { batchSessionConnector } from '../src/features/metering/batch-session.ts'
import type { BatchSession } from '../src/features/metering/reservation-batcher.ts'
import { budgets } from '../src/platform/budgets.ts'
import { realScheduler } from '../src/platform/scheduler.ts'
import { createBatchingMeter } from '../src/features/metering/meter.ts'
import { insertPack, listPacks } from '../src/features/metering/pack-store.ts'
import { readOutcome } from '../src/features/metering/unit-store.ts'
import { createCustomer, createKey, priceRecord, storePrices, type Customer } from './support/actors.ts'
import {
  instant,
  item,
  limits,
  onLoss,
  recover,
  release,
  releasesOf,
  reserve,
  startMs,
  unitsOf,
  useUnitFunctions,
} from './support/unit-functions.ts'

// The functions in the database that count units: lost connections, releases, and many sessions at once.

const { chargedTo, clock, database, expectClean, openClient, somebodyWaits } = useUnitFunctions()

const openMeter = () =>
  createBatchingMeter({
    limits,
    connector: () => batchSessionConnector({ connectionString: database.url, limits, onLoss }),
    scheduler: realScheduler,
    onFailure: (error) => expect.unreachable(String(error)),
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
      onLoss,
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
  const meter = openMeter()
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

test('A counter that was held for a moment does not wait for one that is held on', async () => {
  const [held, other] = [await createCustomer(database.db), await createCustomer(database.db)]
  const meter = openMeter()
  const reserveFor = ({ key }: Customer, endpoint: 'prices' | 'changes' | 'webhooks' = 'prices') => {
    const { want: _, ...request } = item({ key }, { endpoint })
    return meter.reserve(request).then(
      ({ kind }) => kind,
      (error: unknown) => (error as Error).name,
    )
  }
  const hold = async ({ keyId }: Customer) => {
    const client = await openClient()
    await client.query('begin')
    await client.query('select from usage_days where quota_subject = $1 for update', [keyId])
    return () => client.query('rollback')
  }
  for (const customer of [held, other]) expect(await reserveFor(customer)).toBe('granted')
  const untilContended = () => new Promise((resolve) => setTimeout(resolve, 3 * budgets.batchLockMs))
  const endHeld = await hold(held)
  const first = reserveFor(held)
  await untilContended()
  const more = (['prices', 'changes', 'webhooks'] as const).map((endpoint) => reserveFor(held, endpoint))
  // As by a batch of another process that itself waits for the first counter.
  const endOther = await hold(other)
  const served = [reserveFor(other), reserveFor(other)]
  await untilContended()
  await endOther()
  expect(await Promise.all(served)).toEqual(['granted', 'granted'])
  expect(await Promise.all([first, ...more])).toEqual(Array(4).fill('MeterTimeout'))
  await endHeld()
  await meter.close()
  expect(await chargedTo(held.keyId, other.keyId)).toBe(4)
  await expectClean()
})

test('What the database could not put in an order is done again, and counted once', async () => {
  const customer = await createCustomer(database.db, { packUnits: 1_000 })
  const url = new URL(database.url)
  // Whoever comes second to a counter is refused: serialization_failure.
  url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read')
  let refused = 0
  const open = () =>
    createBatchingMeter({
      limits,
      connector: () => {
        const connectSession = batchSessionConnector({ connectionString: url.href, limits, onLoss })
        return async () => {
          const session = await connectSession()
          const reserve: BatchSession['reserve'] = (...batch) =>
            session.reserve(...batch).catch((error: unknown) => {
              if ((error as { code?: unknown }).code === '40001') refused += 1
              throw error
            })
          return { ...session, reserve }
        }
      },
      scheduler: realScheduler,
      onFailure: (error) => expect.unreachable(String(error)),
    })
  const meters = [open(), open(), open()]
  const { want: _, ...request } = item(customer)
  let granted = 0
  for (let round = 0; round < 200 && (refused === 0 || round < 20); round += 1) {
    const verdicts = await Promise.all(meters.map((meter) => meter.reserve(request)))
    granted += verdicts.filter(({ kind }) => kind === 'granted').length
  }
  for (const meter of meters) await meter.close()
  expect(refused).toBeGreaterThan(0)
  expect(await chargedTo(customer.keyId)).toBe(granted)
  expect(granted % meters.length).toBe(0)
  await expectClean()
})
