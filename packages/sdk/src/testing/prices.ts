import { isDateText, parseInstant } from '@ratecard/contract/instant'
import { dateOrInstantText, type FakeClock } from './clock.ts'
import { hasValues, type ListQuery } from './query.ts'
import {
  buildBlank,
  checkFields,
  checkRows,
  orNull,
  present,
  listRules,
  text,
  textOrNull,
  type Fields,
} from './refusal.ts'
import { RowsInOrder, type PageOfRows } from './rows-in-order.ts'
import type { Price } from './rows.ts'
import { hasUriForm } from './schema.ts'

/** A price record to store. What is left out of a new one is null; `updated_at` is the fake's to give. */
export type FakePrice = Partial<Omit<Price, 'updated_at' | 'effective_at'>> & {
  /** Identifies the record: `platform[:region]:<id the platform uses>`. */
  resource_id: string
  /** A date or an instant; null or left out: the record's `updated_at` is served. */
  effective_at?: string | null | undefined
}

interface StoredPrice extends Omit<Price, 'effective_at'> {
  effective_at: string | null
}

export class Prices {
  readonly #rows = new RowsInOrder<StoredPrice>((row) => row.resource_id)

  all(): Price[] {
    return this.#rows.newestFirst().map(served)
  }

  /** Adds records, or changes the given fields of those there are; `updated_at` moves only where a value does. */
  put(prices: readonly FakePrice[], clock: FakeClock): Price[] {
    // All are checked before the first is stored.
    checkRows('putPrices', prices)
    for (const price of prices) checkPrice(price)
    return prices.map((price) => {
      const row = { ...(this.#rows.find(price.resource_id) ?? blank), ...present(price) } as StoredPrice
      if (row.effective_at !== null) row.effective_at = dateOrInstantText(row.effective_at)
      return served(this.#rows.put(row, this.#rows.nextMicros(clock)))
    })
  }

  remove(resourceId: string): boolean {
    return this.#rows.remove(resourceId)
  }

  page(query: ListQuery): PageOfRows<Price> {
    const { product: product_id, ...others } = query.filters
    const { rows, next } = this.#rows.page((row) => hasValues(row, { ...others, product_id }), query)
    return { rows: rows.map(served), next }
  }
}

function served(row: StoredPrice): Price {
  return { ...row, effective_at: row.effective_at ?? row.updated_at }
}

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

const fields: Fields<Omit<StoredPrice, 'resource_id' | 'updated_at'>> = {
  product_id: [null, textOrNull],
  vendor: ['unknown', text()],
  platform: [null, textOrNull],
  modality: [null, textOrNull],
  region: [null, textOrNull],
  unit: [null, textOrNull],
  input_per_mtok: [null, amount],
  output_per_mtok: [null, amount],
  cached_input_per_mtok: [null, amount],
  image_per_unit: [null, amount],
  audio_per_min: [null, amount],
  video_per_sec: [null, amount],
  currency: ['USD', textOrNull],
  source_url: [null, address],
  effective_at: [null, dateOrInstant],
}

const blank = buildBlank(fields)
const rules = { resource_id: text(512), ...listRules(fields) }

function checkPrice(price: FakePrice): void {
  const { resource_id } = price
  const what = typeof resource_id === 'string' ? `The price ${JSON.stringify(resource_id)}` : 'The price'
  checkFields(what, { ...price, resource_id: resource_id ?? '' }, rules)
}
