import { createFakeRatecard, type FakePrice } from '@ratecard/sdk/testing'
import { Ratecard } from '@ratecard/sdk'
import type { paths } from '@ratecard/sdk/types'
import createClient from 'openapi-fetch'
import { counted } from './frame/figures.ts'
import { startPeer } from './frame/processes.ts'
import { openComparison, timeRatio } from './packages/timing.ts'

// What a call through @ratecard/sdk takes, beside the `fetch` inside it and beside openapi-fetch. One call at a time, on a
// connection that stays open, to a server that has its answers ready. Each way sends the key and gets the parsed body;
// what can be made once is made before.

const ours = '@ratecard/sdk'
const bare = 'fetch + json()'
const openapiFetch = 'openapi-fetch'
const limit = 100
const apiKey = `rc_live_${'0'.repeat(43)}`

interface Call<Body> {
  address: string
  typed: (client: ReturnType<typeof createClient<paths>>) => Promise<{ data?: Body }>
  own: (client: Ratecard) => PromiseLike<Body>
  isRight?: (body: Body) => boolean
}

const listPrices = (rows: number): Call<{ data: unknown[] }> => ({
  address: `/v1/prices?limit=${limit}`,
  typed: (client) => client.GET('/v1/prices', { params: { query: { limit } } }),
  own: (client) => client.prices.list({ limit }),
  isRight: ({ data }) => data.length === rows,
})
const getUsage: Call<object> = {
  address: '/v1/usage',
  typed: (client) => client.GET('/v1/usage'),
  own: (client) => client.usage.get(),
}

const about = 'Measures the time of a call of @ratecard/sdk: a minute.'
const comparison = openComparison('sdk', about, { slicesPerRound: 201, sliceMs: 2, warmUpMs: 2_000 })
await compare(1, listPrices(1), (bytes) => `prices.list, 1 row, ${bytes} bytes`)
await compare(1, getUsage, () => 'usage.get')
await compare(100, listPrices(100), (bytes) => `prices.list, 100 rows, ${bytes} bytes`)
await comparison.report([openapiFetch])

async function compare<Body>(rows: number, call: Call<Body>, titleOf: (bytes: string) => string) {
  const answer = await answerTo(call.address, rows)
  await using server = await startPeer('bare-http.ts', { ANSWER: JSON.stringify(answer) })
  const baseUrl = `http://127.0.0.1:${server.port}`
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` }
  const client = new Ratecard({ apiKey, baseUrl })
  const typedClient = createClient<paths>({ baseUrl, headers })
  const expect = (body: Body | undefined) => {
    if (body === undefined || call.isRight?.(body) === false) throw new Error(`Not what ${call.address} has.`)
  }
  const subjects = {
    [bare]: async () => {
      const response = await fetch(baseUrl + call.address, { headers })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      expect((await response.json()) as Body)
    },
    [openapiFetch]: async () => expect((await call.typed(typedClient)).data),
    [ours]: async () => expect(await call.own(client)),
  }
  const title = titleOf(counted(Buffer.byteLength(answer.body)))
  await comparison.add(title, subjects, (costs) => [
    timeRatio(`${title}: time in that of ${bare}`, costs, [ours, bare], { most: 1.2 }),
    timeRatio(`${title}: time in that of ${openapiFetch}`, costs, [ours, openapiFetch]),
  ])
}

/** The answer of the service, to the byte and with its headers, as the fake in memory gives it. */
async function answerTo(address: string, rows: number) {
  const prices = Array.from({ length: rows }, (_, index): FakePrice => {
    const model = `openai/gpt-4o-mini-${String(index).padStart(3, '0')}`
    return {
      ...{ resource_id: `openrouter:${model}`, product_id: model, vendor: 'openai', platform: 'openrouter' },
      ...{ modality: 'llm', unit: '1m_tokens', effective_at: '2024-07-18' },
      ...{ input_per_mtok: 0.15, output_per_mtok: 0.6, cached_input_per_mtok: 0.075 },
      source_url: 'https://openrouter.example/pricing',
    }
  })
  const fake = createFakeRatecard({ prices })
  const headers = { authorization: `Bearer ${fake.apiKey}` }
  const response = await fake.fetch(fake.baseUrl + address, { headers })
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}.`)
  const sent: Record<string, string> = {}
  response.headers.forEach((value, name) => (sent[name] = value))
  return { headers: sent, body: await response.text() }
}
