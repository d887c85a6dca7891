import { describe, expect, test } from 'vitest'
import { revokeApiKey, rotateApiKey } from '../src/features/accounts/api-key-store.ts'
import { endSubscription, putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { createCustomer, createKey } from './support/actors.ts'
import type { Answer } from './support/contract-check.ts'
import { countStatuses, patience, startLoad } from './support/load.ts'
import {
  countdown,
  descending,
  isTopup,
  remainingOf,
  served,
  statusesOf,
  useMeteredServers,
} from './support/metered-servers.ts'

const { database, clock, serverCount, send, sendToEach, callAtOnce, usageOf } = useMeteredServers()

describe('From the next request on, on every process,', () => {
  test('a revoked key is refused', async () => {
    const { accountId, ...first } = await createCustomer(database.db, { plan: 'developer' })
    const keys = [{ key: first.key, id: first.keyId }]
    while (keys.length < 5) keys.push(await createKey(database.db, accountId))
    for (const { key, id } of keys) {
      const load = startLoad(6, (worker) => send(worker, '/v1/prices', { key }))
      await expect.poll(() => load.outcomes.length, patience).toBeGreaterThan(12)
      await revokeApiKey(database.db, id)
      const acknowledgedMs = performance.now()
      await expect
        .poll(() => load.outcomes.filter((outcome) => outcome.startedMs > acknowledgedMs).length, patience)
        .toBeGreaterThan(12)
      const outcomes = await load.stop()
      const later = outcomes.filter((outcome) => outcome.startedMs > acknowledgedMs)
      expect(countStatuses(later.map((outcome) => outcome.answer))).toEqual({ 401: later.length })
      const { 200: served = 0, 401: refused = 0 } = countStatuses(outcomes.map((outcome) => outcome.answer))
      expect(served).toBeGreaterThan(0)
      expect(served + refused).toBe(outcomes.length)
    }
  })

  test('a subscription that is set or ended counts, and a pack that is bought', async () => {
    const { key, accountId } = await createCustomer(database.db)
    const limits = (answers: Answer[]) =>
      answers.map((answer) => Number(answer.headers.get('x-ratelimit-limit')))
    for (let round = 0; round < 5; round += 1) {
      await putSubscription(database.db, accountId, 'developer', {})
      const paid = await sendToEach('/v1/changes', { key })
      expect(statusesOf(paid)).toEqual([200, 200, 200])
      expect(limits(paid)).toEqual([10_000, 10_000, 10_000])
      await endSubscription(database.db, accountId, 'developer')
      const free = await sendToEach('/v1/changes', { key })
      expect(statusesOf(free)).toEqual([403, 403, 403])
      expect(limits(free)).toEqual([100, 100, 100])
    }
    await callAtOnce(85, key)
    for (let round = 0; round < 5; round += 1) {
      expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([429, 429, 429])
      await insertPack(database.db, accountId, { units: serverCount })
      const answers = await sendToEach('/v1/prices', { key })
      expect(statusesOf(answers)).toEqual([200, 200, 200])
      expect(answers.every(isTopup)).toBe(true)
    }
    expect(statusesOf(await sendToEach('/v1/changes', { key }))).toEqual([403, 403, 403])
  })

  test('a downgrade leaves 0 of the quota, never less, and an upgrade gives the rest of the larger', async () => {
    const { key, accountId } = await createCustomer(database.db, { plan: 'developer' })
    await callAtOnce(130, key)
    await endSubscription(database.db, accountId, 'developer')
    const refused = await sendToEach('/v1/prices', { key })
    expect(statusesOf(refused)).toEqual([429, 429, 429])
    expect(refused.map(remainingOf)).toEqual([0, 0, 0])
    expect((await usageOf(key)).daily_quota).toMatchObject({ limit: 100, used: 130, remaining: 0 })
    await putSubscription(database.db, accountId, 'developer', {})
    expect((await sendToEach('/v1/prices', { key })).map(remainingOf)).toEqual([9_869, 9_868, 9_867])
  })
})

describe('The counter of a day is continued', () => {
  test('by a rotated key, whose predecessor is refused at once', async () => {
    const { key, keyId } = await createCustomer(database.db)
    await callAtOnce(60, key)
    const rotated = await database.db.transaction().execute((trx) => rotateApiKey(trx, keyId))
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([401, 401, 401])
    const answers = await callAtOnce(60, rotated.key)
    expect(countStatuses(answers)).toEqual({ 200: 40, 429: 20 })
    expect(descending(served(answers).map(remainingOf))).toEqual(countdown(40))
  })

  test('by both keys during a grace period, at the end of which the old one is refused', async () => {
    const { key, keyId } = await createCustomer(database.db)
    const rotated = await database.db.transaction().execute((trx) => rotateApiKey(trx, keyId, 600))
    const answers = await callAtOnce(150, key, rotated.key)
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
    expect(descending(served(answers).map(remainingOf))).toEqual(countdown(100))
    for (const either of [key, rotated.key]) {
      expect(await usageOf(either)).toMatchObject({ daily_quota: { used: 100 }, endpoints: { prices: 100 } })
    }
    await clock.run('2031-03-05T12:10:30Z')
    expect(statusesOf(await sendToEach('/v1/prices', { key }))).toEqual([401, 401, 401])
    expect(statusesOf(await sendToEach('/v1/prices', { key: rotated.key }))).toEqual([429, 429, 429])
  })

  test('by a key that is made on the day on which another was revoked, and by no other', async () => {
    const { key, keyId, accountId } = await createCustomer(database.db)
    await callAtOnce(60, key)
    await revokeApiKey(database.db, keyId)
    const next = await createKey(database.db, accountId)
    expect(countStatuses(await callAtOnce(50, next.key))).toEqual({ 200: 40, 429: 10 })
    const other = await createKey(database.db, accountId)
    expect(countStatuses(await callAtOnce(10, other.key))).toEqual({ 200: 10 })
    await revokeApiKey(database.db, next.id)
    await clock.run('2031-03-06T00:00:01Z')
    const tomorrow = await createKey(database.db, accountId)
    expect((await usageOf(tomorrow.key)).daily_quota).toMatchObject({ used: 0, remaining: 100 })
  })
})

test('A new day starts a new counter and leaves the old one as it was', async () => {
  const { key, keyId } = await createCustomer(database.db)
  await callAtOnce(110, key)
  await clock.run('2031-03-06T12:00:00Z')
  expect(countStatuses(await callAtOnce(30, key))).toEqual({ 200: 30 })
  expect(await usageOf(key)).toMatchObject({ day: '2031-03-06', daily_quota: { used: 30, remaining: 70 } })
  const days = await database.db
    .selectFrom('usage_days')
    .select(['day', 'plan_used'])
    .where('quota_subject', '=', keyId)
    .orderBy('day')
    .execute()
  expect(days).toEqual([
    { day: '2031-03-05', plan_used: 100 },
    { day: '2031-03-06', plan_used: 30 },
  ])
})
