import { isDateText, parseInstant } from '@ratecard/contract/instant'
import { RowsInOrder, type PageOfRows } from './rows-in-order.ts'
import type { FakeClock } from './clock.ts'
import type { ListQuery } from './query.ts'
import { checkFields, checkRows, orNull, text, textOrNull, type Rule } from './refusal.ts'
import type { Price } from './rows.ts'
import { hasUriForm } from './schema.ts'

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

export class Prices {
  readonly #rows = new RowsInOrder<StoredPrice>((row) => row.resource_id)

  clear(): void {
    this.#rows.clear()
  }

  all(): Price[] {
    return [...this.#rows.rows].reverse().map(served)
  }

  /** Adds records, or changes the given fields of those there are; `updated_at` moves only where a value does. */
  put(prices: readonly FakePrice[], clock: FakeClock): Price[] {
    // All are checked before the first is stored.
    checkRows('putPrices', prices)
    for (const price of prices) complete(price, blank)
    return prices.map((price) => {
      const before = this.#rows.find(price.resource_id)
      const row = complete(price, before ?? blank)
      if (before && fields.every((field) => before[field] === row[field])) return served(before)
      const stored = { ...row, updated_at: this.#rows.nextInstant(clock) }
      this.#rows.put(stored)
      return served(stored)
    })
  }

  remove(resourceId: string): boolean {
    return this.#rows.remove(resourceId)
  }

  page(query: ListQuery): PageOfRows<Price> {
    const { vendor, product, platform, modality } = query.filters
    const matches = (row: StoredPrice) =>
      (vendor === undefined || row.vendor === vendor) &&
      (product === undefined || row.product_id === product) &&
      (platform === undefined || row.platform === platform) &&
      (modality === undefined || row.modality === modality)
    const { rows, next } = this.#rows.page(matches, query)
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

const amount = orNull({
  wants: 'a number from 0 up',
  holds: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
})
const address = orNull({
  wants: 'an address such as https://vendor.example/pricing',
  holds: (value) =>
    typeof value === 'string' &&
    value.length <= 2048 &&
    /^https?:\/\/[^/?#@]+([/?#]|$)/.test(value) &&
    hasUriForm(value.replace(/^http:/, 'https:')),
})
const dateOrInstant = orNull({
  wants: 'a date or an instant with offset, such as 2026-01-31T12:00:00Z',
  holds: (value) => typeof value === 'string' && (isDateText(value) || parseInstant(value) !== null),
})

const rules: Record<string, Rule> = {
  resource_id: text(512),
  product_id: textOrNull,
  vendor: text(),
  platform: textOrNull,
  modality: textOrNull,
  region: textOrNull,
  unit: textOrNull,
  input_per_mtok: amount,
  output_per_mtok: amount,
  cached_input_per_mtok: amount,
  image_per_unit: amount,
  audio_per_min: amount,
  video_per_sec: amount,
  currency: textOrNull,
  source_url: address,
  effective_at: dateOrInstant,
}

function complete(price: FakePrice, base: Values): Values & { resource_id: string } {
  const { resource_id } = price
  const what = typeof resource_id === 'string' ? `The price ${JSON.stringify(resource_id)}` : 'The price'
  checkFields(what, { ...price, resource_id: resource_id ?? '' }, rules)
  const given = Object.entries(price).filter(([, value]) => value !== undefined)
  const row = { ...base, ...Object.fromEntries(given) } as Values & { resource_id: string }
  if (row.effective_at !== null && !isDateText(row.effective_at))
    row.effective_at = parseInstant(row.effective_at)
  return row
}
