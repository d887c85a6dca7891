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
  // The first day of the prices, their hours of the day, or both.
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
  /** Other prices of some hours of the day, each with its hours in UTC, such as `16:30-00:30`. */
  bands: { hours: string; prices: Prices }[]
}

const dayMinutes = 1_440

/**
 * The standard price of a day: of the entries that have begun, the one that holds for most of its minutes. The price of
 * other hours (DeepSeek's at night) is a rate with hours: a price that moves twice a day would be published as two
 * changes a day. As in the source, the last entry that fits a minute is the one that holds.
 */
export function inForce(prices: PriceList, day: string): Period {
  if (!Array.isArray(prices)) return { prices, effective_at: null, bands: [] }
  const begun = prices.filter(({ constraint }) => (constraint?.start_date ?? day) <= day)
  const byMinute = Array.from({ length: dayMinutes }, (_, minute) =>
    begun.findLast((entry) => isAt(entry, minute)),
  )
  const minutes = new Map<DatedPrices, number>()
  for (const entry of byMinute) if (entry) minutes.set(entry, (minutes.get(entry) ?? 0) + 1)
  // Of two that hold equally long the first is the base.
  const inOrder = begun.filter((entry) => minutes.has(entry))
  const [first, ...others] = inOrder.toSorted((a, b) => (minutes.get(b) ?? 0) - (minutes.get(a) ?? 0))
  return {
    prices: first?.prices ?? {},
    effective_at: first?.constraint?.start_date ?? null,
    bands: others.flatMap((entry) =>
      listHours(entry, byMinute).map((hours) => ({ hours, prices: entry.prices })),
    ),
  }
}

/** Whether the entry holds at that minute of the day, in UTC. Hours may go over midnight. */
function isAt({ constraint }: DatedPrices, minute: number): boolean {
  if (constraint?.start_time == null || constraint.end_time == null) return true
  const [start, end] = [parseMinute(constraint.start_time), parseMinute(constraint.end_time)]
  return start < end ? start <= minute && minute < end : minute >= start || minute < end
}

/** The stretches of the day in which the entry holds, each as `HH:MM-HH:MM`. */
function listHours(entry: DatedPrices, byMinute: readonly (DatedPrices | undefined)[]): string[] {
  const starts = byMinute.flatMap((one, minute) =>
    one === entry && byMinute[(minute + dayMinutes - 1) % dayMinutes] !== entry ? [minute] : [],
  )
  return starts.map((start) => {
    let end = start
    while (byMinute[end % dayMinutes] === entry) end += 1
    return `${clockText(start)}-${clockText(end % dayMinutes)}`
  })
}

/** The minute of the day in UTC: `00:30:00Z` and `08:30:00+08:00` are 30. */
function parseMinute(time: string): number {
  const [, hour, minute, offset = 'Z'] = /^(\d{2}):(\d{2})(?:[:.\d]*)(Z|[+-].*)?$/.exec(time) ?? []
  return (Date.parse(`1970-01-02T${hour}:${minute}:00${offset}`) / 60_000) % dayMinutes
}

function clockText(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}
