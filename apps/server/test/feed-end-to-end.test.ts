import { afterAll, beforeAll, expect, test } from 'vitest'
import { Ratecard } from '../../../packages/sdk/src/index.ts'
import { verify } from '../../../packages/webhooks/src/index.ts'
import { generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { createCustomer } from './support/actors.ts'
import { authorityFile } from './support/certificates.ts'
import { useDatabase } from './support/postgres.ts'
import { litellmFile, startPriceSite, type PriceSite } from './support/price-site.ts'
import { startServer } from './support/process.ts'
import { startReceiver, type Receiver } from './support/receiver.ts'

// From a changed price file to a customer's program: with the server as it is run, and with the published packages.

const database = useDatabase()
const secret = 'a secret of sixteen'
const inTime = { timeout: 60_000, interval: 50 }

let site: PriceSite
let receiver: Receiver
beforeAll(async () => {
  site = await startPriceSite()
  receiver = await startReceiver()
})
afterAll(() => Promise.all([site.close(), receiver.close()]))

test('a price that rises is found, alerted with what else there is, and listed by the SDK', async () => {
  site.serve(litellmFile({ 'gpt-9': [5, 20], 'azure/gpt-9': [6, 20] }))
  const server = await startServer({
    DATABASE_URL: database.url,
    SECRETS_KEY: generateSecretsKey(),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    FEED_SOURCES: JSON.stringify([{ source: 'litellm', url: site.url, every: '1s' }]),
  })
  await expect.poll(async () => (await fetch(`${server.adminUrl}/ready`)).status, inTime).toBe(200)
  const { key } = await createCustomer(database.db, { plan: 'developer' })
  const client = new Ratecard({ baseUrl: server.url, apiKey: key })
  await client.webhooks.create({ url: `${receiver.url}/hook`, secret, events: ['change.alert'] })
  const inputs = async () => {
    const prices = await client.prices.list({ product: 'openai/gpt-9' }).toArray({ limit: 10 })
    return prices.map((price) => price.input_per_mtok).sort()
  }
  await expect.poll(inputs, inTime).toEqual([5, 6])

  site.serve(litellmFile({ 'gpt-9': [7, 28], 'azure/gpt-9': [6, 20] }))
  const [delivery] = await receiver.waitFor(1)
  const { changes } = await verify(delivery!.body, delivery!.headers, { secret })
  expect(changes).toMatchObject([{ category: 'price_rise', product: 'openai/gpt-9', vendor: 'openai' }])
  const page = await fetch(changes[0]?.url ?? '')
  expect(await page.text()).toContain(changes[0]?.title)

  const listed = await client.changes.list({ minSeverity: 3 }).toArray({ limit: 10 })
  expect(listed.map((change) => change.id)).toEqual([changes[0]?.id])
  const [change] = listed
  expect(JSON.parse(change?.diff_after ?? '')).toEqual({
    'openai:gpt-9': { input_per_mtok: 7, output_per_mtok: 28 },
  })
  // Three tokens in to one out are 12.25 USD per million here by now, and 9.5 on Azure.
  expect(change?.alternatives).toMatchObject([
    { product_id: 'openai/gpt-9', product_name: 'gpt-9 on azure', rank: 1, cost_diff_pct: -22.4 },
  ])
  expect(await inputs()).toEqual([6, 7])
  expect(receiver.received).toHaveLength(1)
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text()
  expect(metrics).toContain('ratecard_feed_rows{source="litellm"} 2')
  for (const figure of ['prices 2', 'confirmed_prices 0', 'outvoted_amounts 0'])
    expect(metrics).toContain(`\nratecard_feed_${figure}\n`)
  expect(metrics).toMatch(/ratecard_feed_runs_total\{source="litellm",outcome="applied"\} [2-9]/)
  expect(await server.stop()).toBe(0)
})
