import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeApiKey } from '../src/features/accounts/api-key-store.ts'
import { endSubscription, putSubscription } from '../src/features/entitlements/subscription-store.ts'
import { insertPack } from '../src/features/metering/pack-store.ts'
import { verifyLedger } from '../src/features/metering/verify-ledger.ts'
import { createCustomer, createKey, priceRecord, storePrices } from './support/actors.ts'
import { request } from './support/client.ts'
import type { Answer } from './support/contract-check.ts'
import { becomeReady, countStatuses, patience, startLoad } from './support/load.ts'
import { useDatabase } from './support/postgres.ts'
import { startServer, type ServerProcess } from './support/process.ts'
import { changeFile, publish } from './support/fixtures.ts'

// Several processes remember pages and requests, and none of them is ever behind the database.

const database = useDatabase()
const servers: ServerProcess[] = []
const ends: (() => Promise<void>)[] = []
const serverCount = 3

beforeAll(async () => {
  await storePrices(database.db, [generation(0)])
  await publish(database.db, changeFile())
  const env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  const starting = Array.from({ length: serverCount }, () => startServer(env, [], (end) => ends.push(end)))
  servers.push(...(await Promise.all(starting)))
  await becomeReady(servers)
})
afterAll(async () => {
  await Promise.all(ends.map((end) => end()))
  expect((await verifyLedger(database.db)).differences).toEqual([])
})

const generation = (n: number) => priceRecord({ resource_id: 'acme:alpha', region: String(n) })

function send(n: number, path: string, key: string): Promise<Answer> {
  return request(servers[n % serverCount]?.url ?? '', path, { key })
}

/** The same to every process, so often that each knows the request. */
async function sendToEach(path: string, key: string): Promise<Answer[]> {
  const answers = []
  for (let n = 0; n < 3 * serverCount; n += 1) answers.push(await send(n, path, key))
  return answers
}

const statusesOf = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))]

function generationIn({ body }: Answer): number {
  return Number((body as { data: { region: string }[] }).data[0]?.region)
}

describe('Who asks after a commit sees it, whichever process answers:', () => {
  test('one import after the other', async () => {
    const { key } = await createCustomer(database.db, { plan: 'scale' })
    for (let n = 1; n <= 5; n += 1) {
      await storePrices(database.db, [generation(n)])
      expect((await sendToEach('/v1/prices', key)).map(generationIn)).toEqual(Array(9).fill(n))
    }
  })

  test('imports under load, on one page and on many', async () => {
    const { key } = await createCustomer(database.db, { plan: 'scale' })
    let committed = 5
    let behind = 0
    const seen = new Set<number>()
    const load = startLoad(18, async (worker) => {
      const atLeast = committed
      const path = worker % 3 === 0 ? '/v1/prices' : `/v1/prices?limit=${worker + 1}`
      const answer = await send(worker, path, key)
      if (answer.status === 200) {
        seen.add(generationIn(answer))
        if (!(generationIn(answer) >= atLeast)) behind += 1
      }
      return answer
    })
    for (let n = 6; n < 36; n += 1) {
      const answered = load.outcomes.length
      await storePrices(database.db, [generation(n)])
      committed = n
      await expect.poll(() => load.outcomes.length - answered, patience).toBeGreaterThan(20)
    }
    const outcomes = await load.stop()
    expect(outcomes.filter(({ failure }) => failure !== undefined)).toEqual([])
    expect(behind).toBe(0)
    // It was a race: the workers met most of the imports.
    expect(seen.size).toBeGreaterThan(15)
    const statuses = countStatuses(outcomes.map(({ answer }) => answer))
    expect(statuses).toEqual({ 200: outcomes.length })
    // Each answer cost one unit, also where its page had to be read again.
    const usage = (await send(0, '/v1/usage', key)).body as { metered_total: number }
    expect(usage.metered_total).toBe(outcomes.length)
  })
})

describe('With everything remembered, the next request at every process knows of', () => {
  test('a revocation', async () => {
    const { accountId, key: other } = await createCustomer(database.db, { plan: 'developer' })
    const { id, key } = await createKey(database.db, accountId)
    expect(statusesOf(await sendToEach('/v1/changes', key))).toEqual([200])
    await revokeApiKey(database.db, id)
    expect(statusesOf(await sendToEach('/v1/changes', key))).toEqual([401])
    expect(statusesOf(await sendToEach('/v1/changes', other))).toEqual([200])
  })

  test('a downgrade and an upgrade', async () => {
    const { accountId, key } = await createCustomer(database.db, { plan: 'developer' })
    expect(statusesOf(await sendToEach('/v1/changes', key))).toEqual([200])
    await endSubscription(database.db, accountId, 'developer')
    expect(statusesOf(await sendToEach('/v1/changes', key))).toEqual([403])
    const limits = (await sendToEach('/v1/prices', key)).map(({ headers }) =>
      headers.get('x-ratelimit-limit'),
    )
    expect([...new Set(limits)]).toEqual(['100'])
    await putSubscription(database.db, accountId, 'scale', {})
    expect(statusesOf(await sendToEach('/v1/changes', key))).toEqual([200])
  })

  test('a pack, once the quota is used up to the unit', async () => {
    const { accountId, key } = await createCustomer(database.db)
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => send(n, '/v1/prices', key)))
    expect(countStatuses(answers)).toEqual({ 200: 100, 429: 50 })
    const remaining = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n))

    await insertPack(database.db, accountId, { units: 9 })
    const paid = await sendToEach('/v1/prices', key)
    expect(statusesOf(paid)).toEqual([200])
    expect(paid.every(({ headers }) => headers.get('x-ratelimit-topup') === 'true')).toBe(true)
    expect(statusesOf(await sendToEach('/v1/prices', key))).toEqual([429])
  })
})
