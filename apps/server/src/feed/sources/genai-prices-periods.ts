import { z } from 'zod'

const Amount = z.union([z.number(), z.string()])
const Tiered = z.looseObject({
  base: Amount,
  tiers: z.array(z.looseObject({ start: z.int().nonnegative(), price: Amount })).nullish(),
})
export const Prices = z.record(z.string(), z.union([Amount, Tiered]).nullish())
export type Prices = z.infer<typeof Prices>

/** RFC 3339's time of the day; without an offset it is in UTC. */
const Clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/)
export const DatedPrices = z.object({
  // Either the first day of the prices, or their hours of the day.
  constraint: z
    .looseObject({
      start_date: z.iso.date().nullish(),
      start_time: Clock.nullish(),
      end_time: Clock.nullish(),
    })
    .nullish(),
  prices: Prices,
})
export type DatedPrices = z.infer<typeof DatedPrices>
/** The price of a model: prices without a date, or entries of which the last that has begun applies. */
export type PriceList = Prices | DatedPrices[]

export interface Period {
  prices: Prices
  /** The day on which it began; null: the source does not say. */
  effective_at: string | null
  entry: DatedPrices | undefined
}

/**
 * The last entry that has begun. Hours of the day (DeepSeek's) are left out: the standard price has none, and a price
 * that moves twice a day would be published as two changes a day.
 */
export function inForce(prices: PriceList, day: string): Period {
  if (!Array.isArray(prices)) return { prices, effective_at: null, entry: undefined }
  const entry = prices.findLast(({ constraint }) => {
    if (constraint == null) return true
    return constraint.start_date != null && !isHours(constraint) && constraint.start_date <= day
  })
  return { prices: entry?.prices ?? {}, effective_at: entry?.constraint?.start_date ?? null, entry }
}

function isHours(constraint: DatedPrices['constraint']): boolean {
  return constraint?.start_time != null && constraint.end_time != null
}

/** Hours with a price of their own. The last entry counts, so the entry in force overrules those before it. */
export function hourBands(prices: PriceList, current: Period): { hours: string; prices: Prices }[] {
  if (!Array.isArray(prices)) return []
  const index = current.entry === undefined ? -1 : prices.indexOf(current.entry)
  return prices.slice(index + 1).flatMap(({ constraint, prices }) => {
    if (constraint?.start_time == null || constraint.end_time == null || constraint.start_date != null)
      return []
    return [{ hours: `${utcClock(constraint.start_time)}-${utcClock(constraint.end_time)}`, prices }]
  })
}

/** `00:30:00Z` and `08:30:00+08:00` are `00:30`. */
function utcClock(time: string): string {
  const [, hour, minute, offset = 'Z'] = /^(\d{2}):(\d{2})(?:[:.\d]*)(Z|[+-].*)?$/.exec(time) ?? []
  return new Date(`1970-01-02T${hour}:${minute}:00${offset}`).toISOString().slice(11, 16)
}
