import { describe, expect, onTestFinished, test } from 'vitest'
import { batchSessionConnector } from '../src/features/metering/batch-session.ts'
import { createBatchingMeter, type Meter, type UnitVerdict } from '../src/features/metering/meter.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { realScheduler } from '../src/platform/scheduler.ts'
import { createCustomer, type Customer } from './support/actors.ts'
import { patience } from './support/load.ts'
import { openProxy } from './support/tcp-proxy.ts'
import { hashOf, limits, onLoss, useUnitFunctions } from './support/unit-functions.ts'

// Units whose requests were told 503 are given back after another server has counted on: no number of the countdown is
// shown twice, and nothing is charged that was not answered.

const { chargedTo, database, expectClean } = useUnitFunctions()

function startMeter(connectionString: string): Meter {
  const meter = createBatchingMeter({
    limits,
    connector: () => batchSessionConnector({ connectionString, limits, onLoss }),
    scheduler: realScheduler,
    onFailure: () => undefined,
  })
  onTestFinished(() => meter.close())
  return meter
}

const ask = (meter: Meter, { key }: Customer) =>
  meter.reserve({
    keyHash: hashOf(key),
    endpoint: 'prices',
    plans: 31,
    version: null,
  }) as Promise<UnitVerdict>

/** One request after the other: what each is told is left. */
async function countDown(meter: Meter, customer: Customer, times: number): Promise<number[]> {
  const told: number[] = []
  for (; times > 0; times -= 1) told.push((await ask(meter, customer)).rateLimit.remaining)
  return told
}

/**
 * Three requests at a server get the numbers 2 to 4, are told 503, and are given back when the other server has answered
 * `others` more.
 */
async function loseThree(
  customer: Customer,
  others: number,
): Promise<{ told: number[]; a: Meter; b: Meter }> {
  const network = await openProxy(database.url)
  const [a, b] = [startMeter(network.url), startMeter(database.url)]
  const told = await countDown(a, customer, 1)
  const lost = network.loseAnswer('reserve_units')
  const failing = Promise.allSettled([ask(a, customer), ask(a, customer), ask(a, customer)])
  await lost
  await network.refuse()
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  told.push(...(await countDown(b, customer, others)))
  await network.pass()
  await expect.poll(() => chargedTo(customer.keyId), patience).toBe(1 + others)
  return { told, a, b }
}

describe('Numbers that come back', () => {
  test('after others have counted on are granted first, each once', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { told, a, b } = await loseThree(customer, 4)
    expect(told).toEqual([19, 15, 14, 13, 12])
    expect(await countDown(b, customer, 2)).toEqual([18, 17])
    expect(await countDown(a, customer, 3)).toEqual([16, 11, 10])
    expect(await chargedTo(customer.keyId)).toBe(10)
    await expectClean()
  })

  test('as the last ones are simply the next', async () => {
    const customer = await createCustomer(database.db, { plan: 'developer' })
    const { b } = await loseThree(customer, 0)
    expect(await countDown(b, customer, 4)).toEqual([18, 17, 16, 15])
    const { gaps } = await database.db
      .selectFrom('usage_days')
      .select('gaps')
      .where('quota_subject', '=', customer.keyId)
      .executeTakeFirstOrThrow()
    expect(gaps).toBeNull()
    await expectClean()
  })

  test('are granted before a pack pays, together with the rest of the quota, and end with it', async () => {
    const customer = await createCustomer(database.db)
    const { told, b } = await loseThree(customer, 2)
    expect(told).toEqual([6, 2, 1])
    await insertPack(database.db, customer.accountId, { units: 2 })
    // 2, 3, 4 come back, 7 is new, a pack pays two, and nothing is left for the last.
    const verdicts = await Promise.all(Array.from({ length: 7 }, () => ask(b, customer)))
    expect(verdicts.map(({ kind, rateLimit: { remaining, topup } }) => [kind, remaining, topup])).toEqual([
      ['granted', 5, false],
      ['granted', 4, false],
      ['granted', 3, false],
      ['granted', 0, false],
      ['granted', 0, true],
      ['granted', 0, true],
      ['denied', 0, false],
    ])
    expect(await chargedTo(customer.keyId)).toBe(9)
    await expectClean()
  })
})
