import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Ratecard, RateLimitError } from '@ratecard/sdk'
import { createFakeRatecard } from '@ratecard/sdk/testing'
import { http } from 'msw'
import { setupServer } from 'msw/node'

// Tests against a Ratecard in memory: npm install msw, then node --test test-your-program.ts

/** The program under test. It makes its own client, as programs do. */
async function cheapestModel(vendor: string): Promise<string | undefined> {
  const client = new Ratecard({ apiKey: process.env.MY_KEY, baseUrl: process.env.MY_URL })
  const prices = await client.prices.list({ vendor }).toArray({ limit: 1_000 })
  // Null is unknown, and not free of charge.
  const known = prices.filter((price) => price.input_per_mtok !== null)
  return known.sort((a, b) => Number(a.input_per_mtok) - Number(b.input_per_mtok))[0]?.resource_id
}

const fake = createFakeRatecard({
  prices: [
    { resource_id: 'acme:small', vendor: 'acme', input_per_mtok: 0.1 },
    { resource_id: 'acme:large', vendor: 'acme', input_per_mtok: 2.5 },
    { resource_id: 'acme:image', vendor: 'acme', image_per_unit: 0.04 },
  ],
})
// msw answers every fetch of this process. Without msw, hand `fake.fetch` to the client.
const network = setupServer(...fake.handlers(http))

before(() => {
  process.env.MY_KEY = fake.apiKey
  process.env.MY_URL = fake.baseUrl
  network.listen()
})
afterEach(() => fake.reset())
after(() => network.close())

test('the cheapest model is found', async () => {
  assert.equal(await cheapestModel('acme'), 'acme:small')
})

test('a price cut counts at once', async () => {
  fake.putPrices({ resource_id: 'acme:large', input_per_mtok: 0.05 })
  assert.equal(await cheapestModel('acme'), 'acme:large')
})

test('an outage is ridden out', async () => {
  fake.failNext({ status: 503 })
  assert.equal(await cheapestModel('acme'), 'acme:small')
  assert.equal(fake.requests.length, 2)
})

test('a used-up quota is told', async () => {
  fake.account.setUsed(10_000)
  await assert.rejects(cheapestModel('acme'), RateLimitError)
})
