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
  readonly version: string
}

/** Why something has no price, with a sentence. */
export interface Refusal {
  readonly reason: UnpricedReason
  readonly message: string
}

/** A line with its exact amount, or why there is none. */
export type Priced = { readonly line: CostLine; readonly exact: Exact } | Refusal

export function lineOf(item: Item, context: LineContext): Priced {
  const { record, card, conditions, multiplier, version } = context
  // Seconds of audio are sold by the minute.
  const isSeconds = item.meter.endsWith('_audio_seconds') && !card.rates.has(item.meter)
  const meter = isSeconds ? item.meter.replace(/seconds$/, 'minutes') : item.meter
  const picked = pickRate(card, meter, item.variant, conditions, record.modality)
  if ('reason' in picked) return refusal(item, picked, context)

  const { rate: listed, billedAs } = picked
  const { unit, tier, threshold, hours } = listed
  const factor = findFactor(listed.own ? undefined : multiplier, picked.multiplier)
  // Mostly the list price is paid, and the card has it ready.
  const rate = factor === one ? listed.amount : formatDecimal(times(exactDecimal(listed.amount), factor))
  const product = times(item.count, factor === one ? listed.perOne : divideByUnit(rate, unit))
  const exact = isSeconds ? over(product, 60n) : product
  return {
    exact,
    line: {
      meter: item.meter,
      variant: item.variant,
      count: formatDecimal(item.count),
      unit,
      rate,
      amount: formatDecimal(exact),
      listRate: listed.own ? null : listed.amount,
      multiplier: formatDecimal(factor),
      tier: tier ?? conditions.tier,
      threshold,
      hours,
      billedAs,
      resourceId: record.resource_id,
      catalogVersion: version,
    },
  }
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
