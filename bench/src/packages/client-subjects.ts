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

const limit = 100
const addresses = [`/v1/prices?limit=${limit}`, '/v1/usage'] as const
const apiKey = `rc_live_${'0'.repeat(43)}`

/** The answers of the service, to the byte and with its headers, as the fake in memory gives them. */
export async function createAnswers(rows: number): Promise<Answers> {
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
  const answers: Answers = {}
  for (const address of addresses) {
    const authorization = `Bearer ${fake.apiKey}`
    const response = await fake.fetch(`${fake.baseUrl}${address}`, { headers: { authorization } })
    if (response.status !== 200) throw new Error(`${address} answers ${response.status}.`)
    const headers: Record<string, string> = {}
    response.headers.forEach((value, name) => (headers[name] = value))
    delete headers['content-length']
    answers[address.split('?', 1)[0]!] = { headers, body: await response.text() }
  }
  return answers
}

interface Calls<Body> {
  address: string
  typed: (client: ReturnType<typeof createClient<paths>>) => Promise<{ data?: Body }>
  own: (client: Ratecard) => PromiseLike<Body>
  isRight?: (body: Body) => boolean
}

/** @param rows how many a page must have */
export function subjectsOf(baseUrl: string, rows: number): Record<'prices' | 'usage', Subject[]> {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` }
  const client = new Ratecard({ apiKey, baseUrl })
  const typedClient = createClient<paths>({ baseUrl, headers })
  const create = <Body>({ address, typed, own, isRight = () => true }: Calls<Body>): Subject[] => {
    const url = `${baseUrl}${address}`
    const expect = (body: Body | undefined) => {
      if (body === undefined || !isRight(body)) throw new Error(`Not what ${address} has.`)
    }
    const callBare = async () => {
      const response = await fetch(url, { headers })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      expect((await response.json()) as Body)
    }
    return [
      { name: bare, work: callBare, waits: true },
      { name: openapiFetch, work: async () => expect((await typed(typedClient)).data), waits: true },
      { name: ours, work: async () => expect(await own(client)), waits: true },
    ]
  }
  return {
    prices: create<{ data: unknown[] }>({
      address: addresses[0],
      typed: (one) => one.GET('/v1/prices', { params: { query: { limit } } }),
      own: (one) => one.prices.list({ limit }),
      isRight: (page) => page.data.length === rows,
    }),
    usage: create<object>({
      address: addresses[1],
      typed: (one) => one.GET('/v1/usage'),
      own: (one) => one.usage.get(),
    }),
  }
}
