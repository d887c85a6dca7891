import { Feed, type FeedPage } from './feed.ts'
import { isDateText, readInstant, type FakeClock } from './instants.ts'
import type { ListQuery } from './query.ts'
import type { Price } from './rows.ts'

/** A price record to store. What is left out of a new one is null; `updated_at` is the fake's to give. */
export type FakePrice = Partial<Omit<Price, 'updated_at' | 'effective_at'>> & {
  /** Identifies the record: `platform[:region]:<id the platform uses>`. */
  resource_id: string
  /** A date or an instant; null or left out: the record's `updated_at` is served. */
  effective_at?: string | null | undefined
}

type Values = Omit<StoredPrice, 'resource_id' | 'updated_at'>

interface StoredPrice extends Omit<Price, 'effective_at'> {
  effective_at: string | null
}

const amounts = [
  'input_per_mtok',
  'output_per_mtok',
  'cached_input_per_mtok',
  'image_per_unit',
  'audio_per_min',
  'video_per_sec',
] as const

export class Prices {
  readonly #feed = new Feed<StoredPrice>((row) => row.resource_id)

  clear(): void {
    this.#feed.clear()
  }

  all(): Price[] {
    return [...this.#feed.rows].reverse().map(served)
  }

  /** Adds records, or changes the given fields of those there are; `updated_at` moves only where a value does. */
  put(prices: readonly FakePrice[], clock: FakeClock): Price[] {
    // All are checked before the first is stored.
    for (const price of prices) complete(price, blank)
    return prices.map((price) => {
      const before = this.#feed.find(price.resource_id)
      const row = complete(price, before ?? blank)
      if (before && fields.every((field) => before[field] === row[field])) return served(before)
      const stored = { ...row, updated_at: this.#feed.nextInstant(clock) }
      this.#feed.put(stored)
      return served(stored)
    })
  }

  remove(resourceId: string): boolean {
    return this.#feed.remove(resourceId)
  }

  page(query: ListQuery): FeedPage<Price> {
    const { vendor, product, platform, modality } = query.filters
    const matches = (row: StoredPrice) =>
      (vendor === undefined || row.vendor === vendor) &&
      (product === undefined || row.product_id === product) &&
      (platform === undefined || row.platform === platform) &&
      (modality === undefined || row.modality === modality)
    const { rows, next } = this.#feed.page(matches, query)
    return { rows: rows.map(served), next }
  }
}

function served(row: StoredPrice): Price {
  return { ...row, effective_at: row.effective_at ?? row.updated_at }
}

const blank = {
  product_id: null,
  vendor: 'unknown',
  platform: null,
  modality: null,
  region: null,
  unit: null,
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
  currency: 'USD',
  source_url: null,
  effective_at: null,
} satisfies Values

const fields = Object.keys(blank) as (keyof Values)[]

function complete(price: FakePrice, base: Values): Values & { resource_id: string } {
  const { resource_id } = price
  const fail = (what: string): never => {
    throw new TypeError(`The price ${JSON.stringify(resource_id)}: ${what}`)
  }
  if (typeof resource_id !== 'string' || resource_id === '' || resource_id.length > 512) {
    fail('`resource_id` is a text of 1 to 512 characters.')
  }
  for (const name of Object.keys(price)) {
    if (name === 'updated_at') fail('leave out `updated_at`; the fake gives each record its own.')
    if (name !== 'resource_id' && !Object.hasOwn(blank, name)) fail(`it has no field \`${name}\`.`)
  }
  const given = Object.entries(price).filter(([, value]) => value !== undefined)
  const row = { resource_id, ...base, ...Object.fromEntries(given) }
  if (typeof row.vendor !== 'string' || row.vendor === '') fail('`vendor` must not be empty.')
  for (const amount of amounts) {
    const value = row[amount]
    if (value !== null && !(value >= 0 && value < Infinity))
      fail(`\`${amount}\` is null or a number from 0 up.`)
  }
  if (row.effective_at !== null && !isDateText(row.effective_at)) {
    row.effective_at =
      readInstant(row.effective_at) ?? fail('`effective_at` is a date or an instant with offset.')
  }
  return row
}
