import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useApi } from '../support/api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from '../support/actors.ts'
import { useDatabase } from '../support/postgres.ts'
import { patience } from '../support/load.ts'
import { spend, usageOf } from '../support/fixtures.ts'
import { feelBeside, flood } from './accounts-beside.ts'
import { again, expectUndisturbed } from './attacker.ts'

// A key with a used-up quota costs refusals, and no cached page of other customers.

const database = useDatabase()
const api = useApi(database, { pagesBytesMax: 2 * 1_024 * 1_024 })
const records = Array.from({ length: 400 }, (_, index) =>
  priceRecord({ resource_id: `acme:model-${index}`, source_url: `https://acme.example/${'x'.repeat(200)}` }),
)
beforeAll(() => storePrices(database.db, records))

let spent: Customer
beforeEach(async () => {
  spent = await createCustomer(database.db)
  await spend(database.db, spent, 100)
})

/** One page of all records, which no request asked for before. */
let pages = 0
const newPage = () =>
  `/v1/prices?limit=500&since=2020-01-01T00:00:00.${String((pages += 1)).padStart(6, '0')}Z`

/** How many requests were answered by a page that is kept. */
async function recognised(): Promise<number> {
  return (await api.metrics.requestsRecognised.get()).values[0]?.value ?? 0
}

/** While something is done no page of prices can be read. */
async function withoutPrices<T>(work: () => Promise<T>): Promise<T> {
  await sql`alter table prices rename to prices_away`.execute(database.db)
  try {
    return await work()
  } finally {
    await sql`alter table prices_away rename to prices`.execute(database.db)
  }
}

test('reads no page', async () => {
  const { key } = spent
  const statuses = await withoutPrices(() =>
    flood({ total: 60, atOnce: 10 }, () => api.request(newPage(), { key })),
  )
  expect(statuses).toEqual({ 429: 60 })
})

test('throws nobody’s kept page out, and slows nobody down', again, async () => {
  const usual = '/v1/prices?limit=100'
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const ask = () => api.request(usual, { key })
  await ask()
  await ask()
  const before = await recognised()
  const { attacked, feeling } = await feelBeside(
    flood({ total: 400, atOnce: 40 }, () => api.request(newPage(), { key: spent.key })),
    ask,
  )
  expect(attacked).toEqual({ 429: 400 })
  expectUndisturbed(feeling)
  expect((await recognised()) - before).toBe(feeling.statuses.length)
})

test('is served, and its pack pays, once it has one; a page that cannot be read keeps no unit of it', async () => {
  const customer = await createCustomer(database.db, { packUnits: 3 })
  await spend(database.db, customer, 100)
  const { key } = customer
  expect((await api.request(newPage(), { key })).headers.get('x-ratelimit-topup')).toBe('true')
  expect((await usageOf(api, customer)).topup.remaining).toBe(2)

  const failed = await withoutPrices(() => api.request(newPage(), { key }))
  expect(failed.status).toBe(500)
  await expect.poll(async () => (await usageOf(api, customer)).topup.remaining, patience).toBe(2)

  expect((await api.request(newPage(), { key })).status).toBe(200)
  expect((await api.request(newPage(), { key })).status).toBe(200)
  expect((await api.request(newPage(), { key })).status).toBe(429)
  expect((await usageOf(api, customer)).topup.remaining).toBe(0)
})
