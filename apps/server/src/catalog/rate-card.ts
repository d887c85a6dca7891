import type { DecimalText } from './price-record.ts'

/**
 * One amount that no column of a price holds: a batch price, a long-context tier, a write to the cache, a search. All
 * fields except `amount` describe it. They differ between any two entries of a resource.
 */
export interface Rate {
  /**
   * What is counted, in the plural: `input_tokens`, `output_tokens`, `cached_input_tokens`, `cache_write_tokens`,
   * `reasoning_tokens`, `input_audio_tokens`, `output_image_tokens`, `input_images`, `output_pixels`, `characters`,
   * `searches`, `requests`, `sessions`, … A source's own word, in snake case, where none of ours fits.
   */
  meter: string
  /** The unit of the amount, as in `PriceRecord.unit`: `1m_tokens`, `image`, `second`, `query`, `request`, … */
  unit: string
  amount: DecimalText
  /** `batch`, `flex`, `priority`, …; null: the standard tier. */
  service_tier: string | null
  /** Which kind, where a meter has several: `1h` of a cache, `1024x1024/hd` of an image, `high` of a search. */
  variant: string | null
  /** Input tokens above which the amount applies to the whole request; null: from the first. */
  threshold: number | null
  /** Its hours of the day, in UTC: `16:30-00:30`; null: all day. */
  hours: string | null
}

/** The text that distinguishes the entries of one resource. */
export function rateKey({ meter, unit, service_tier, variant, threshold, hours }: Rate): string {
  return JSON.stringify([meter, unit, service_tier, variant, threshold, hours])
}

/** A card as text: equal texts are equal cards. Takes the entries in the order of `sortRates`. */
export function cardText(rates: readonly Rate[]): string {
  return rates.map((rate) => `${rateKey(rate)}=${rate.amount}`).join('\n')
}

/** One entry per key, in the order of keys: two readings of the same card are equal. */
export function sortRates(rates: readonly Rate[]): Rate[] {
  const byKey = new Map(rates.map((rate) => [rateKey(rate), rate]))
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate)
}
