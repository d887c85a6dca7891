import { divideByUnit, type Card } from './card.ts'
import type { Item } from './counts.ts'
import { formatDecimal, exactCount, exactDecimal, one, over, times, type Exact } from './exact.ts'
import type { LayeredOverride } from './overrides.ts'
import { pickRate, type Conditions, type NotPicked } from './pick-rate.ts'
import type { CatalogRecord, CostLine, UnpricedReason } from './types.ts'
import { findUnit } from './unit.ts'

export interface LineContext {
  readonly record: CatalogRecord
  readonly card: Card
  readonly conditions: Conditions
  readonly override: LayeredOverride | null
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
  const { record, card, conditions, override, version } = context
  // Seconds of audio are sold by the minute.
  const isSeconds = item.meter.endsWith('_audio_seconds') && !card.rates.has(item.meter)
  const meter = isSeconds ? item.meter.replace(/seconds$/, 'minutes') : item.meter
  const own = override?.rates?.[item.meter] ?? override?.rates?.[meter]
  const picked = pickRate(card, meter, item.variant, conditions, record.modality)
  if (own === undefined && 'reason' in picked) return refusal(item, picked, context)

  const listed = 'rate' in picked ? picked : null
  const unit = listed?.rate.unit ?? findUnit(meter)
  const listRate = own === undefined ? listed!.rate.amount : null
  const factor = own === undefined ? findFactor(override, listed!.multiplier) : one
  // Mostly the list price is paid, and the card has it ready.
  const paid =
    own !== undefined ? exactCount(own) : factor === one ? null : times(exactDecimal(listRate!), factor)
  const rate = paid === null ? listRate! : formatDecimal(paid)
  const product = times(item.count, paid === null ? listed!.rate.perOne : divideByUnit(rate, unit))
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
      listRate,
      multiplier: formatDecimal(factor),
      tier: listed?.rate.tier ?? conditions.tier,
      threshold: listed?.rate.threshold ?? null,
      hours: listed?.rate.hours ?? null,
      billedAs: listed?.billedAs ?? meter,
      resourceId: record.resource_id,
      catalogVersion: version,
    },
  }
}

function findFactor(override: LayeredOverride | null, ofCard: string | null): Exact {
  const own = override?.multiplier
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
  return {
    reason: why,
    message: `The catalog has ${why.replaceAll('_', ' ')}${condition && ` "${condition}"`}: ${what}. ${why === 'unknown_count' ? 'Update @ratecard/cost' : 'Load a catalog that has it'}, or give it a rate in "overrides".`,
  }
}
