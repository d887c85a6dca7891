import { exactDecimal, perMillion, type Exact } from './exact.ts'
import type { AnnouncedAmounts, CatalogAmounts, CatalogRecord } from './types.ts'
import type { Price } from './line.ts'
import { addTo } from './lists.ts'
import { doubtMeter } from './unit.ts'

// A record as it is multiplied with: the six amounts are rates as any others, and every rate is exact, per one.

/** A rate, ready to be multiplied. */
export interface Rate {
  readonly meter: string
  readonly unit: string
  /** As the catalog states it, per unit. */
  readonly amount: string
  /** For a single token, second, query. */
  readonly perOne: Exact
  readonly tier: string | null
  readonly variant: string | null
  readonly threshold: number | null
  readonly hours: string | null
  /** Yours, and not the list's; `always`: under whichever conditions. */
  readonly own?: 'stated' | 'always'
}

export interface Card {
  readonly rates: ReadonlyMap<string, readonly Rate[]>
  /** Thresholds of input tokens that the card has, as the catalog states them. */
  readonly thresholds: readonly number[]
  /** Factors on all prices, by the region or the mode for which they hold. */
  readonly multipliers: ReadonlyMap<string, string>
  readonly hasHours: boolean
  /** Meters that may cost more than it says, by nobody knows how much. */
  readonly open: ReadonlySet<string | null>
  /** What was found before, under the standard conditions: most requests are short, and of no tier and region. */
  readonly standard: Map<string, Price>
}

/** The columns: meters and units of the six amounts. */
export const columns: readonly [field: keyof CatalogAmounts, meter: string, unit: string][] = [
  ['input_per_mtok', 'input_tokens', '1m_tokens'],
  ['output_per_mtok', 'output_tokens', '1m_tokens'],
  ['cached_input_per_mtok', 'cached_input_tokens', '1m_tokens'],
  ['image_per_unit', 'output_images', 'image'],
  ['audio_per_min', 'audio_minutes', 'minute'],
  ['video_per_sec', 'output_video_seconds', 'second'],
]

const cards = new WeakMap<CatalogRecord, Card>()

/** The card of a record as it stands in the catalog, made once. */
export function lookUpCard(record: CatalogRecord): Card {
  let card = cards.get(record)
  if (card === undefined) cards.set(record, (card = makeCard(record)))
  return card
}

/** @param begun announced prices that hold by now: of what they move only the amounts themselves are known */
export function makeCard(record: CatalogRecord, begun: readonly AnnouncedAmounts[] = []): Card {
  const rates = new Map<string, Rate[]>()
  const moved = new Set<string>()
  for (const [field, meter, unit] of columns) {
    const later = begun.findLast((amounts) => amounts[field] !== null)?.[field] ?? null
    if (later !== null && later !== record[field]) moved.add(meter)
    const amount = later ?? record[field]
    if (amount !== null)
      addTo(rates, meter, { ...plainRate, meter, unit, amount, perOne: divideByUnit(amount, unit) })
  }
  const thresholds = new Set<number>()
  const multipliers = new Map<string, string>()
  const open = new Set<string | null>()
  for (const { meter, unit, amount, service_tier, variant, threshold, hours } of record.rates ?? []) {
    if (meter === doubtMeter) {
      open.add(variant)
      continue
    }
    if (meter === 'price_multiplier') {
      if (variant !== null) multipliers.set(variant, amount)
      continue
    }
    // A batch price or a cache write beside a price that has moved is that of before.
    if (moved.size > 0 && (moved.has(meter) || unit === '1m_tokens')) continue
    const perOne = divideByUnit(amount, unit)
    addTo(rates, meter, { meter, unit, amount, perOne, tier: service_tier, variant, threshold, hours })
    if (threshold !== null) thresholds.add(threshold)
  }
  const hasHours = record.rates?.some(({ hours }) => hours !== null) ?? false
  const inOrder = [...thresholds].sort((a, b) => a - b)
  return {
    rates,
    thresholds: inOrder,
    multipliers,
    hasHours,
    open,
    standard: new Map(),
  }
}

const plainRate = { tier: null, variant: null, threshold: null, hours: null }

export function divideByUnit(amount: string, unit: string): Exact {
  const exact = exactDecimal(amount)
  return unit.startsWith('1m_') ? perMillion(exact) : exact
}
