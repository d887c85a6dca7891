import type { Card } from './card.ts'
import { UsageError } from './errors.ts'
import { exactCount, isAbove, type Exact } from './exact.ts'
import type { Usage } from './types.ts'

/** One kind of what was used; none is 0. */
export interface Item {
  readonly meter: string
  readonly variant: string | null
  readonly count: Exact
}

const itemsMax = 200

/** @throws UsageError where a count is none, or the object is a usage as a vendor writes it */
export function listItems(usage: Usage): Item[] {
  const { counts } = Object(usage) as Partial<Usage>
  if (typeof counts !== 'object' || counts === null)
    throw new UsageError('No "counts": read the answer by @ratecard/cost/readers.')
  const items: Item[] = []
  for (const meter in counts) {
    const stated = counts[meter]
    if (typeof stated !== 'object' || stated === null) add(items, meter, null, stated)
    else for (const variant in stated) add(items, meter, normalVariant(meter, variant), stated[variant])
  }
  if (items.length > itemsMax) throw new UsageError(`A usage has at most ${itemsMax} counts.`)
  return items
}

function add(items: Item[], meter: string, variant: string | null, stated: unknown): void {
  if (stated === undefined || stated === 0) return
  const count = parseCount(stated, meter)
  if (count.units) items.push({ meter, variant, count })
}

/** Of how many requests it is the sum. @throws UsageError where that is no whole number from 1 on */
export function countRequests({ requests }: Usage): number {
  if (requests === undefined || requests === null) return 1
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new UsageError('"requests" is a whole number of 1 or more.')
  return requests
}

/**
 * What is billed of it: a fee per request is due where anything was used, also where the answer counts tokens alone, and who
 * has a least time of audio bills that at least.
 */
export function asBilled(items: readonly Item[], { rates }: Card, requests: number): readonly Item[] {
  const least = requests === 1 ? rates.get(leastSeconds)?.[0]?.perOne : undefined
  const timed =
    least === undefined
      ? items
      : items.map((item) =>
          item.meter.endsWith('_audio_seconds') && isAbove(least, item.count)
            ? { ...item, count: least }
            : item,
        )
  if (!rates.has('requests') || items.length === 0) return timed
  if (items.some(({ meter }) => meter === 'requests')) return timed
  return [...timed, { meter: 'requests', variant: null, count: { units: requests, scale: 0 } }]
}

/** The entry of a card that is no price: how many seconds of audio a request has at least. */
export const leastSeconds = 'least_seconds'

/** Five minutes are what a cache write is, where nothing else is said. */
export function normalVariant(meter: string, variant: string): string | null {
  return variant === '' || (variant === '5m' && meter.startsWith('cache_write')) ? null : variant
}

function parseCount(count: unknown, meter: string): Exact {
  try {
    return exactCount(count as number)
  } catch (error) {
    throw new UsageError(`counts.${meter.slice(0, 60)}: ${(error as Error).message}.`)
  }
}
