import { createFakeRatecard, type FakePrice } from '@ratecard/sdk/testing'
import { Ratecard } from '@ratecard/sdk'
import type { paths } from '@ratecard/sdk/types'
import createClient from 'openapi-fetch'
import type { Answers } from './answers.ts'
import type { Subject } from './timing.ts'

// One call, made three ways. Each sends the key and gets the parsed body; what can be made once is made before.

export const ours = '@ratecard/sdk'
export const bare = 'fetch + json()'
export const openapiFetch = 'openapi-fetch'

const path = { prices: '/v1/prices', usage: '/v1/usage' }
const limit = 100

/** The answers of the service, to the byte and with its headers, as the fake in memory gives them. */
export async function createAnswers(rows: number): Promise<Answers> {
  const prices = Array.from({ length: rows }, (_, index): FakePrice => {
    const model = `openai/gpt-4o-mini-${String(index).padStart(3, '0')}`
    return {
      resource_id: `openrouter:${model}`,
      product_id: model,
      vendor: 'openai',
      platform: 'openrouter',
      modality: 'llm',
      unit: '1m_tokens',
      input_per_mtok: 0.15,
      output_per_mtok: 0.6,
      cached_input_per_mtok: 0.075,
      source_url: 'https://openrouter.example/pricing',
      effective_at: '2024-07-18',
    }
  })
  const fake = createFakeRatecard({ prices })
  const answers: Answers = {}
  for (const [address, query] of [
    [path.prices, `?limit=${limit}`],
    [path.usage, ''],
  ] as const) {
    const response = await fake.fetch(`${fake.baseUrl}${address}${query}`, {
      headers: { authorization: `Bearer ${fake.apiKey}` },
    })
    if (response.status !== 200) throw new Error(`${address} answers ${response.status}.`)
    const headers: Record<string, string> = {}
    response.headers.forEach((value, name) => {
      if (name !== 'content-length') headers[name] = value
    })
    answers[address] = { headers, body: await response.text() }
  }
  return answers
}

/** @param rows how many a page must have */
export function pricesSubjects(baseUrl: string, apiKey: string, rows: number): Subject[] {
  return createSubjects<{ data: unknown[] }>(baseUrl, apiKey, {
    address: `${path.prices}?limit=${limit}`,
    typed: (client) => client.GET('/v1/prices', { params: { query: { limit } } }),
    own: (client) => client.prices.list({ limit }),
    isRight: (page) => page.data.length === rows,
  })
}

export function usageSubjects(baseUrl: string, apiKey: string): Subject[] {
  return createSubjects<object>(baseUrl, apiKey, {
    address: path.usage,
    typed: (client) => client.GET('/v1/usage'),
    own: (client) => client.usage.get(),
    isRight: () => true,
  })
}

interface Calls<Body> {
  address: string
  typed: (client: ReturnType<typeof createClient<paths>>) => Promise<{ data?: Body }>
  own: (client: Ratecard) => PromiseLike<Body>
  isRight: (body: Body) => boolean
}

function createSubjects<Body>(
  baseUrl: string,
  apiKey: string,
  { address, typed, own, isRight }: Calls<Body>,
): Subject[] {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` }
  const client = new Ratecard({ apiKey, baseUrl })
  const typedClient = createClient<paths>({ baseUrl, headers })
  const url = `${baseUrl}${address}`
  const expect = (body: Body | undefined) => {
    if (body === undefined || !isRight(body)) throw new Error(`Not what ${address} has.`)
  }
  const calls = {
    [bare]: async () => {
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      expect((await response.json()) as Body)
    },
    [openapiFetch]: async () => expect((await typed(typedClient)).data),
    [ours]: async () => expect(await own(client)),
  }
  return Object.entries(calls).map(([name, work]) => ({ name, work, waits: true }))
}
