import type { Card, Rate } from './card.ts'
import { edgeOf } from './threshold.ts'
import type { UnpricedReason } from './types.ts'

// Which rate of a card a use pays. A condition that the card does not know has no price: the standard one would be a
// guess, and mostly a wrong one.

/** Under which conditions something was used. */
export interface Conditions {
  readonly tier: string | null
  readonly region: string | null
  /** The record is that of the region, so its rates are the region's. */
  readonly isOfRegion: boolean
  /** The highest threshold that the request has passed; null: none. */
  readonly threshold: number | null
  /** The minute of the day in UTC; null: not known. */
  readonly minute: number | null
}

export interface Picked {
  readonly rate: Rate
  readonly billedAs: string
  /** Of the card, for a region or a mode. */
  readonly multiplier: string | null
}

export interface NotPicked {
  readonly reason: UnpricedReason
  /** What the card has of the meter under no or other conditions, for the message. */
  readonly condition: string
}

/**
 * What else a meter is billed as where a card has no rate of its own for it, as vendors document it: reasoning is output,
 * and what goes in as an image, a video or a document is input. Audio is not among them: it mostly costs several times as
 * much as text.
 */
const alsoBilledAs: Readonly<Record<string, string>> = {
  reasoning_tokens: 'output_tokens',
  input_text_tokens: 'input_tokens',
  output_text_tokens: 'output_tokens',
  cached_input_text_tokens: 'cached_input_tokens',
  input_image_tokens: 'input_tokens',
  cached_input_image_tokens: 'cached_input_tokens',
  input_video_tokens: 'input_tokens',
  cached_input_video_tokens: 'cached_input_tokens',
  input_document_tokens: 'input_tokens',
  cached_input_document_tokens: 'cached_input_tokens',
  input_audio_minutes: 'audio_minutes',
  output_audio_minutes: 'audio_minutes',
  pages: 'ocr_pages',
  ocr_pages: 'input_document_pages',
  annotated_pages: 'input_annotated_document_pages',
}

/** Fees of tools and requests are not sold by tier or region: vendors state one. */
function isFee({ meter }: Rate): boolean {
  return /(?:^|_)(?:searches|requests|code_executions|sessions)$/.test(meter)
}

/** @param isImageModel of an image model, output without another name is an image */
export function pickRate(
  card: Card,
  meter: string,
  variant: string | null,
  conditions: Conditions,
  isImageModel: boolean,
): Picked | NotPicked {
  const { tier, region, isOfRegion, threshold } = conditions
  const isStandard = tier === null && threshold === null && !card.hasHours && (region === null || isOfRegion)
  // A card has few meters; what else is asked for is not remembered, since strangers may name it.
  if (!isStandard || variant !== null || !card.rates.has(meter))
    return pickAnew(card, meter, variant, conditions, isImageModel)
  let picked = card.standard.get(meter) as Picked | NotPicked | undefined
  if (picked === undefined)
    card.standard.set(meter, (picked = pickAnew(card, meter, variant, conditions, isImageModel)))
  return picked
}

function pickAnew(
  card: Card,
  meter: string,
  variant: string | null,
  conditions: Conditions,
  isImageModel: boolean,
): Picked | NotPicked {
  let billedAs = meter
  // What a card has of the kind at all, under whatever condition, is never taken for something plainer.
  while (!card.rates.has(billedAs)) {
    const next =
      billedAs === 'output_image_tokens' && isImageModel ? 'output_tokens' : own(alsoBilledAs, billedAs)
    const isOfKind = kindOf(billedAs) !== null && hasKind(card, kindOf(billedAs)!)
    if (next === undefined || isOfKind) return { reason: 'no_rate', condition: '' }
    billedAs = next
  }
  const found = inTier(card, billedAs, variant, conditions)
  return 'rate' in found ? { ...found, billedAs } : found
}

/** `image`, of `cached_input_image_tokens`. */
function kindOf(meter: string): string | null {
  return /_(image|video|document|audio)_tokens$/.exec(meter)?.[1] ?? null
}

function hasKind(card: Card, kind: string): boolean {
  for (const meter of card.rates.keys()) if (kindOf(meter) === kind && meter.includes('input')) return true
  return false
}

type Found = Omit<Picked, 'billedAs'> | NotPicked

function inTier(card: Card, meter: string, variant: string | null, conditions: Conditions): Found {
  const all = card.rates.get(meter) ?? []
  const { tier } = conditions
  const own = tier === null ? all.filter(isStandard) : all.filter((rate) => rate.tier === tier)
  if (own.length > 0) return inRegion(card, own, variant, conditions, null)
  if (tier === null) return { reason: 'no_rate_for_tier', condition: 'standard' }
  const standard = all.filter(isStandard)
  const multiplier = card.multipliers.get(tier) ?? null
  if (multiplier !== null || (standard.length > 0 && standard.every(isFee)))
    return inRegion(card, standard, variant, conditions, multiplier)
  return { reason: 'no_rate_for_tier', condition: tier }
}

function isStandard({ tier }: Rate): boolean {
  return tier === null
}

function inRegion(
  card: Card,
  rates: readonly Rate[],
  variant: string | null,
  conditions: Conditions,
  multiplier: string | null,
): Found {
  const { region, isOfRegion } = conditions
  if (region === null || isOfRegion) return ofVariant(rates, variant, null, conditions, multiplier)
  const regional = ofVariant(rates, variant, region, conditions, multiplier)
  if ('rate' in regional) return regional
  const general = ofVariant(rates, variant, null, conditions, multiplier)
  if (!('rate' in general) || isFee(general.rate)) return general
  const uplift = card.multipliers.get(region)
  if (uplift === undefined || multiplier !== null) return { reason: 'no_rate_for_region', condition: region }
  return { rate: general.rate, multiplier: uplift }
}

/** Rates of a kind: variants are `1h`, `eu`, `1h/eu`. */
function ofVariant(
  rates: readonly Rate[],
  variant: string | null,
  region: string | null,
  conditions: Conditions,
  multiplier: string | null,
): Found {
  const wanted = [variant, region].filter((part) => part !== null).join('/') || null
  let kind: readonly Rate[] = rates.filter((rate) => rate.variant === wanted)
  if (kind.length === 0 && wanted === null) kind = whereKindsAgree(rates)
  if (kind.length === 0) return { reason: 'no_rate_for_variant', condition: wanted ?? '' }
  if (wanted === null && rates.some((rate) => isOtherImage(rate, kind)))
    return { reason: 'no_rate_for_variant', condition: '' }
  return atLength(kind, conditions, multiplier)
}

/** A search of low, medium or high context: who does not say which needs not, where all cost the same. */
function whereKindsAgree(rates: readonly Rate[]): readonly Rate[] {
  const sizes = rates.filter(({ variant }) => /^(?:low|medium|high)$/.test(variant ?? ''))
  const [first] = sizes
  const agree = sizes.every(({ amount, threshold, hours }) => {
    return amount === first?.amount && threshold === null && hours === null
  })
  return agree && first ? [first] : []
}

/** Where sizes of an image have prices of their own, the one of no size is that of some of them. */
function isOtherImage({ unit, variant, amount }: Rate, plain: readonly Rate[]): boolean {
  return unit === 'image' && variant !== null && plain.every((rate) => rate.amount !== amount)
}

function atLength(rates: readonly Rate[], conditions: Conditions, multiplier: string | null): Found {
  const { threshold } = conditions
  const passed = rates.filter((rate) => rate.threshold === null || (threshold !== null && rate.threshold <= threshold))
  const highest = passed.reduce((most, rate) => Math.max(most, rate.threshold ?? -1), -1)
  const best = passed.filter((rate) => (rate.threshold ?? -1) === highest)
  const [first] = best
  if (first === undefined) return { reason: 'no_rate', condition: '' }
  if (threshold !== null && edgeOf(highest) < edgeOf(threshold) && first.unit === '1m_tokens')
    return { reason: 'no_rate_above_threshold', condition: String(threshold) }
  return atHour(best, conditions, multiplier)
}

function atHour(rates: readonly Rate[], { minute }: Conditions, multiplier: string | null): Found {
  const bands = rates.filter((rate) => rate.hours !== null)
  if (bands.length > 0 && minute === null) return { reason: 'time_needed', condition: bands[0]!.hours! }
  const rate =
    bands.find(({ hours }) => isWithin(hours!, minute!)) ?? rates.find(({ hours }) => hours === null)
  return rate === undefined ? { reason: 'no_rate', condition: '' } : { rate, multiplier }
}

/** Whether the minute of the day is in `16:30-00:30`; hours may go over midnight. */
export function isWithin(hours: string, minute: number): boolean {
  const [, h1 = '', m1 = '', h2 = '', m2 = ''] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours) ?? []
  const [start, end] = [60 * Number(h1) + Number(m1), 60 * Number(h2) + Number(m2)]
  return start < end ? start <= minute && minute < end : minute >= start || minute < end
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
