import type { Card, Rate } from './card.ts'
import { exactDecimal, formatDecimal, times } from './exact.ts'
import { findEdge } from './threshold.ts'
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
  /** The minute of the day in UTC; -1: none that hours are of; null: not known. */
  readonly minute: number | null
}

interface Picked {
  readonly rate: Rate
  readonly billedAs: string
  /** Of the card, for a region or a mode. */
  readonly multiplier: string | null
}

/** Why a record that is known has no rate. */
type RateReason = Exclude<UnpricedReason, `model_${string}` | 'before_history' | 'unknown_count'>

export interface NotPicked {
  readonly reason: RateReason
  /** What the card has of the meter under no or other conditions, for the message. */
  readonly condition: string
}

/**
 * What else a meter is billed as where a card has no rate of its own for it, as vendors document it: reasoning is output,
 * and what goes in as an image, a video or a document is input. Audio is not among them: it mostly costs several times as
 * much as text.
 */
const alsoBilledAs: readonly [meter: RegExp, as: string][] = [
  [/^(?:reasoning|output_text)_tokens$/, 'output_tokens'],
  [/^(cached_)?input_(?:text|image|video|document)_tokens$/, '$1input_tokens'],
  [/^(?:in|out)put_audio_minutes$/, 'audio_minutes'],
  [/^pages$/, 'ocr_pages'],
  [/^(?:ocr_|(annotated_))pages$/, 'input_$1document_pages'],
]

function elseBilledAs(meter: string): string | undefined {
  const rule = alsoBilledAs.find(([name]) => name.test(meter))
  return rule && meter.replace(...rule)
}

/** Fees of tools and requests are not sold by tier or region: vendors state one. */
function isFee({ meter }: Rate): boolean {
  return /(?:^|_)(?:searches|requests|code_executions|sessions)$/.test(meter)
}

/**
 * What comes out of a model that makes nothing else: of an image model, tokens of an image are its output. What such a
 * model takes in says nothing about that.
 */
function isOwnOutput(meter: string, modality: string | null): boolean {
  return (modality === 'image' || modality === 'audio') && meter === `output_${modality}_tokens`
}

/** @param modality of the model: what it makes */
export function pickRate(
  card: Card,
  meter: string,
  variant: string | null,
  conditions: Conditions,
  modality: string | null,
): Picked | NotPicked {
  let billedAs = meter
  // What a card has of the kind at all, under whatever condition, is never taken for something plainer.
  while (!card.rates.has(billedAs)) {
    const isOwn = isOwnOutput(billedAs, modality)
    const next = isOwn ? 'output_tokens' : elseBilledAs(billedAs)
    const isOfKind = !isOwn && classifyMeter(billedAs) !== null && hasKind(card, classifyMeter(billedAs)!)
    if (next === undefined || isOfKind) return no('no_rate')
    billedAs = next
  }
  const found = inTier(card, billedAs, variant, conditions)
  return 'rate' in found ? { ...found, billedAs } : found
}

/** `image`, of `cached_input_image_tokens`. */
function classifyMeter(meter: string): string | null {
  return /_(image|video|document|audio)_tokens$/.exec(meter)?.[1] ?? null
}

function hasKind(card: Card, kind: string): boolean {
  for (const meter of card.rates.keys())
    if (classifyMeter(meter) === kind && meter.includes('input')) return true
  return false
}

function no(reason: RateReason, condition = ''): NotPicked {
  return { reason, condition }
}

type Found = Omit<Picked, 'billedAs'> | NotPicked

function inTier(card: Card, meter: string, variant: string | null, conditions: Conditions): Found {
  const all = card.rates.get(meter) ?? []
  const { tier } = conditions
  const own = all.filter((rate) => rate.tier === tier)
  if (all[0]?.own === 'always') return { rate: own[0] ?? all[0], multiplier: null }
  if (own.length > 0) return inRegion(card, own, variant, conditions, null)
  if (tier === null) return no('no_rate_for_tier', 'standard')
  const standard = all.filter((rate) => rate.tier === null)
  // Fees are not discounted: no vendor says so.
  const isFees = standard.length > 0 && standard.every(isFee)
  const multiplier = isFees ? null : (card.multipliers.get(tier) ?? null)
  if (multiplier !== null || isFees) return inRegion(card, standard, variant, conditions, multiplier)
  return no('no_rate_for_tier', tier)
}

function inRegion(
  card: Card,
  rates: readonly Rate[],
  variant: string | null,
  conditions: Conditions,
  multiplier: string | null,
): Found {
  const { region, isOfRegion } = conditions
  const regional = region === null ? null : ofVariant(rates, variant, region, conditions)
  const rate = regional && 'amount' in regional ? regional : ofVariant(rates, variant, null, conditions)
  if ('reason' in rate) return rate
  if (region === null || isOfRegion || rate === regional || isFee(rate)) return { rate, multiplier }
  // One factor for all regions but the global one.
  const uplift =
    card.multipliers.get(region) ?? (region === 'global' ? undefined : card.multipliers.get('regional'))
  if (uplift === undefined) return no('no_rate_for_region', region)
  // Vendors multiply them: Anthropic's data residency and batches.
  const both =
    multiplier === null ? uplift : formatDecimal(times(exactDecimal(uplift), exactDecimal(multiplier)))
  return { rate, multiplier: both }
}

/** Rates of a kind: variants are `1h`, `eu`, `1h/eu`. */
function ofVariant(
  rates: readonly Rate[],
  variant: string | null,
  region: string | null,
  conditions: Conditions,
): Rate | NotPicked {
  const wanted = [variant, region].filter((part) => part !== null).join('/') || null
  let kind: readonly Rate[] = rates.filter((rate) => rate.variant === wanted)
  if (kind.length === 0 && wanted === null) kind = whereKindsAgree(rates)
  if (kind.length === 0) return no('no_rate_for_variant', wanted ?? '')
  if (wanted === null && rates.some((rate) => isOtherImage(rate, kind))) return no('no_rate_for_variant')
  return atLength(kind, conditions)
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

function atLength(rates: readonly Rate[], conditions: Conditions): Rate | NotPicked {
  const { threshold } = conditions
  const passed = rates.filter(
    (rate) => rate.threshold === null || (threshold !== null && rate.threshold <= threshold),
  )
  const highest = passed.reduce((most, rate) => Math.max(most, rate.threshold ?? -1), -1)
  const best = passed.filter((rate) => (rate.threshold ?? -1) === highest)
  const [first] = best
  if (first === undefined) return no('no_rate')
  if (threshold !== null && findEdge(highest) < findEdge(threshold) && first.unit === '1m_tokens')
    return no('no_rate_above_threshold', String(threshold))
  return atHour(best, conditions)
}

function atHour(rates: readonly Rate[], { minute }: Conditions): Rate | NotPicked {
  const bands = rates.filter((rate) => rate.hours !== null)
  if (bands.length > 0 && minute === null) return no('time_needed', bands[0]!.hours!)
  return (
    bands.find(({ hours }) => isWithin(hours!, minute!)) ??
    rates.find(({ hours }) => hours === null) ??
    no('no_rate')
  )
}

/** Whether the minute of the day is in `16:30-00:30`; hours may go over midnight. */
function isWithin(hours: string, minute: number): boolean {
  const [, h1 = '', m1 = '', h2 = '', m2 = ''] = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(hours) ?? []
  const [start, end] = [60 * Number(h1) + Number(m1), 60 * Number(h2) + Number(m2)]
  if (minute < 0) return false
  return start < end ? start <= minute && minute < end : minute >= start || minute < end
}
