import { beforeAll, expect } from 'vitest'
import { useApi } from './api.ts'
import { createCustomer, priceRecord, storePrices, type Customer } from './actors.ts'
import { useDatabase } from './postgres.ts'

interface PriceList {
  schema_version: number
  data: ({ resource_id: string; updated_at: string } & Record<string, unknown>)[]
  pagination?: { next_cursor: string }
}

// Stored in this order, so served in the opposite one.
const records = [
  priceRecord({ resource_id: 'acme:alpha', input_per_mtok: '0.2', effective_at: '2026-01-31' }),
  priceRecord({ resource_id: 'acme:Alpha', product_id: 'acme/Alpha' }),
  priceRecord({
    resource_id: 'bedrock:eu-central-1:acme.alpha-v1:0',
    platform: 'bedrock',
    region: 'eu-central-1',
    effective_at: '2026-02-28T23:59:59.000001Z',
  }),
  priceRecord({
    resource_id: 'router:zeta/pict',
    product_id: null,
    vendor: 'zeta',
    platform: 'router',
    modality: 'image',
    unit: 'image',
    input_per_mtok: null,
    output_per_mtok: null,
    image_per_unit: '0.000000001',
    source_url: null,
  }),
  priceRecord({
    resource_id: 'nowhere',
    product_id: null,
    vendor: 'unknown',
    platform: null,
    modality: null,
    unit: null,
    input_per_mtok: null,
    output_per_mtok: null,
    currency: null,
    source_url: null,
  }),
  priceRecord({
    resource_id: 'zeta:speech',
    product_id: 'zeta/speech',
    vendor: 'zeta',
    platform: 'zeta',
    modality: 'audio',
    unit: 'minute',
    input_per_mtok: '0',
    output_per_mtok: '123456789.123',
    cached_input_per_mtok: '0.1',
    audio_per_min: '0.006',
    video_per_sec: '999999999',
  }),
]
export const newestFirst = records.map((record) => record.resource_id).reverse()

/** The list of these prices on a server of the file's, as a reader on a paid plan sees it. */
export function usePriceList() {
  const database = useDatabase()
  const api = useApi(database)
  const reader = {} as Customer
  beforeAll(async () => {
    await storePrices(database.db, records)
    Object.assign(reader, await createCustomer(database.db, { plan: 'enterprise' }))
  })

  async function list(query = ''): Promise<PriceList> {
    const { status, body } = await api.request(`/v1/prices${query}`, { key: reader.key })
    expect(status, JSON.stringify(body)).toBe(200)
    return body as PriceList
  }

  async function idsOf(query = ''): Promise<string[]> {
    return (await list(query)).data.map((price) => price.resource_id)
  }

  /** Follows `next_cursor` to the last page. */
  async function walk(query: string): Promise<string[][]> {
    const pages: string[][] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { data, pagination } = await list(`?${query}${cursor && `&cursor=${cursor}`}`)
      pages.push(data.map((price) => price.resource_id))
      cursor = pagination?.next_cursor
    }
    return pages
  }

  return { database, api, reader, list, idsOf, walk }
}
