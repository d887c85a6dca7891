import { divideByUnit, type Card } from './card.ts'
import type { Item } from './counts.ts'
import { formatDecimal, exactDecimal, one, over, times, type Exact } from './exact.ts'
import { pickRate, type Conditions, type NotPicked } from './pick-rate.ts'
import type { CatalogRecord, CostLine, UnpricedReason } from './types.ts'

export interface LineContext {
  readonly record: CatalogRecord
  readonly card: Card
  readonly conditions: Conditions
  /** Of yours, on list prices. */
  readonly multiplier?: Exact | undefined
}

/** Why something has no price, with a sentence. */
export interface Refusal {
  readonly reason: UnpricedReason
  readonly message: string
}

/** What one of a meter costs, with all that its lines have alike. */
export interface Price extends Omit<CostLine, 'meter' | 'variant' | 'count' | 'amount' | 'catalogVersion'> {
  /** For a single token, second, query. */
  readonly perOne: Exact
  /** Seconds that are sold by the minute. */
  readonly isSeconds: boolean
}

/** What the item costs by the card, or why nobody knows. */
export function lookUpPrice(item: Item, context: LineContext): Price | Refusal {
  const { card, conditions, multiplier } = context
  const { tier, region, isOfRegion, threshold } = conditions
  const isStandard =
    tier === null &&
    threshold === null &&
    multiplier === undefined &&
    !card.hasHours &&
    (region === null || isOfRegion)
  const memory = isStandard ? card.standard : undefined
  const { meter, variant } = item
  const key = variant === null ? meter : `${meter} ${variant}`
  let price: Price | Refusal | undefined = memory?.get(key)
  if (price === undefined) {
    price = findPrice(item, context)
    // A card has few rates; what else is asked for is not remembered, since strangers may name it.
    if ('rate' in price) memory?.set(key, price)
  }
  return price
}

function findPrice(item: Item, context: LineContext): Price | Refusal {
  const { record, card, conditions, multiplier } = context
  // Seconds of audio are sold by the minute.
  const isSeconds = item.meter.endsWith('_audio_seconds') && !card.rates.has(item.meter)
  const meter = isSeconds ? item.meter.replace(/seconds$/, 'minutes') : item.meter
  const picked = pickRate(card, meter, item.variant, conditions, record.modality)
  if ('reason' in picked) return refusal(item, picked, context)

  const { rate: listed, billedAs } = picked
  const { unit, tier, threshold, hours } = listed
  const factor = findFactor(listed.own ? undefined : multiplier, picked.multiplier)
  const rate = factor === one ? listed.amount : formatDecimal(times(exactDecimal(listed.amount), factor))
  return {
    unit,
    rate,
    listRate: listed.own ? null : listed.amount,
    multiplier: formatDecimal(factor),
    tier: tier ?? conditions.tier,
    threshold,
    hours,
    billedAs,
    resourceId: record.resource_id,
    perOne: divideByUnit(rate, unit),
    isSeconds,
  }
}

/** What so many cost. */
export function computeAmount(count: Exact, { perOne, isSeconds }: Price): Exact {
  const product = times(count, perOne)
  return isSeconds ? over(product, 60n) : product
}

function findFactor(own: Exact | undefined, ofCard: string | null): Exact {
  if (ofCard === null) return own ?? one
  return own === undefined ? exactDecimal(ofCard) : times(own, exactDecimal(ofCard))
}

function refusal({ meter }: Item, { reason, condition }: NotPicked, { record }: LineContext): Refusal {
  const what = `${meter} of ${record.resource_id}`
  if (reason === 'time_needed')
    return {
      reason,
      message: `${what} has another rate at ${condition} UTC: say when it was used, with "at".`,
    }
  const why = meter.startsWith('usage.')
    ? 'unknown_count'
    : // Where there is no card nobody knows what it would have said.
      record.rates === null
      ? 'no_rate_card'
      : reason
  const advice =
    condition === 'unknown'
      ? 'Say how long it lives: give "cacheTtl".'
      : `${why === 'unknown_count' ? 'Update @ratecard/cost' : 'Load a newer one'}, or give it a rate in "overrides".`
  return {
    reason: why,
    message: `The catalog has ${why.replaceAll('_', ' ')}${condition && ` "${condition}"`}: ${what}. ${advice}`,
  }
}
