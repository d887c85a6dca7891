import { columns, divideByUnit, type Card, type Rate } from './card.ts'
import type { CoreOptions, Laid, OwnPrices } from './cost-of.ts'
import { normalVariant } from './counts.ts'
import { UsageError } from './errors.ts'
import { exactCount, formatDecimal, times, type Exact } from './exact.ts'
import type { CatalogAmounts, CostOptions, Count, Override, Overrides, OwnRate, Resolution } from './types.ts'
import { findUnit } from './unit.ts'

// What is yours, laid over the prices of the list: the most special layer that says something holds.

/** A part of the overrides, with where it stands. */
interface Layer extends Override {
  readonly where: string
}

/**
 * Prices of your own for `costOf` of `@ratecard/cost/core`, which does not know how to lay them over a list. That of
 * `@ratecard/cost` takes them as they are.
 */
export function ownPrices(overrides: Overrides): OwnPrices {
  return {
    layFor: (name, platform, listed): Laid => {
      const layers = layersFor(overrides, name, platform, listed)
      return {
        resolution: (listed.isResolved ? undefined : ownModel(name, platform, layers)) ?? listed,
        multiplier: multiplierIn(layers),
        layOver: (card) => layOver(card, layers),
      }
    },
  }
}

/** What is told to `costOf` of this package, as its core takes it. */
export function forCore({ overrides, ...options }: CostOptions): CoreOptions {
  return overrides === undefined ? options : { ...options, overrides: ownPrices(overrides) }
}

/** Those that hold for a record, the most special first: its name, its id, its product, its platform, all. */
function layersFor(
  overrides: Overrides,
  name: string,
  named: string | undefined,
  resolution: Resolution,
): Layer[] {
  const record = resolution.isResolved ? resolution.record : undefined
  const { models, platforms, ...all } = checked(overrides, 'overrides', [
    'multiplier',
    'tiers',
    'platforms',
    'models',
  ])
  const keys = [...new Set([name, record?.resource_id, record?.product_id])]
  return [
    ...keys.map((key) => readLayer(models, 'overrides.models', key)),
    readLayer(platforms, 'overrides.platforms', record ? record.platform : named),
    { ...all, where: 'overrides' },
  ].filter((layer) => layer !== undefined)
}

function readLayer(
  layers: object | undefined,
  where: string,
  key: string | null | undefined,
): Layer | undefined {
  if (layers === undefined || key == null || !Object.hasOwn(checked(layers, where), key)) return undefined
  const own = `${where}["${key}"]`
  return {
    ...checked((layers as Record<string, Override>)[key]!, own, ['multiplier', 'tiers', 'rates', 'currency']),
    where: own,
  }
}

/** A model that the catalog does not know, and whose rates are yours. */
function ownModel(
  name: string,
  platform: string | undefined,
  layers: readonly Layer[],
): Resolution | undefined {
  if (!layers.some(({ rates }) => rates)) return undefined
  const currency = layers.find((layer) => layer.currency !== undefined)?.currency ?? 'USD'
  const record = {
    ...(Object.fromEntries(columns.map(([field]) => [field, null])) as Record<keyof CatalogAmounts, null>),
    ...{ resource_id: name, product_id: null, vendor: '', platform: platform ?? null, currency },
    ...{ modality: null, region: null, effective_at: null, updated_at: '1970-01-01T00:00:00Z', rates: [] },
  }
  return { isResolved: true, record, rule: 'override', steps: [name], region: null }
}

/** By what list prices are multiplied; undefined: nothing. */
function multiplierIn(layers: readonly Layer[]): Exact | undefined {
  const layer = layers.find(({ multiplier }) => multiplier !== undefined)
  return layer && readAmount(layer.multiplier!, `${layer.where}.multiplier`)
}

/** The card with what is yours. A rate without conditions takes the place of all that the card has of the meter. */
function layOver(card: Card, layers: readonly Layer[]): Card {
  if (!layers.some(({ rates, tiers }) => rates ?? tiers)) return card
  const rates = new Map(card.rates)
  const multipliers = new Map(card.multipliers)
  const tiers = [...collect(layers, 'tiers')].map(
    ([tier, [factor, where]]) => [tier.toLowerCase(), readAmount(factor, where)] as const,
  )
  for (const [tier, factor] of tiers) {
    multipliers.set(tier, formatDecimal(factor))
    for (const [meter, listed] of rates)
      rates.set(
        meter,
        listed.filter((rate) => rate.tier !== tier),
      )
  }
  for (const [meter, [given, where]] of collect(layers, 'rates')) {
    const listed = rates.get(meter) ?? []
    const unit = listed[0]?.unit ?? findUnit(meter)
    if (Array.isArray(given)) {
      const own = given.map((one: OwnRate, at) => ownRate(one, `${where}[${at}]`, meter, unit))
      const isReplaced = (rate: Rate) =>
        own.some((one) => conditions.every((name) => one[name] === rate[name]))
      rates.set(meter, [...listed.filter((rate) => !isReplaced(rate)), ...own])
    } else {
      const amount = readAmount(given, where)
      const rate = { ...toRate(amount, meter, unit), own: 'always' } as const
      rates.set(meter, [
        rate,
        ...tiers.map(([tier, factor]) => ({ ...rate, ...toRate(times(amount, factor), meter, unit), tier })),
      ])
    }
  }
  const all = [...rates.values()].flat()
  const thresholds = [...new Set(all.flatMap(({ threshold }) => threshold ?? []))].sort((a, b) => a - b)
  return {
    ...card,
    rates,
    multipliers,
    thresholds,
    hasHours: all.some(({ hours }) => hours !== null),
    standard: new Map(),
  }
}

const conditions = ['tier', 'variant', 'threshold', 'hours'] as const

function toRate(amount: Exact, meter: string, unit: string): Rate {
  const text = formatDecimal(amount)
  const none = { tier: null, variant: null, threshold: null, hours: null }
  return { meter, unit, amount: text, perOne: divideByUnit(text, unit), own: 'stated', ...none }
}

function ownRate(given: OwnRate, where: string, meter: string, unit: string): Rate {
  const {
    amount,
    tier = null,
    region,
    variant,
    threshold = null,
    hours = null,
  } = checked(given, where, ['amount', ...conditions, 'region'])
  if (threshold !== null && !Number.isSafeInteger(threshold))
    throw new UsageError(`${where}.threshold is no whole number.`)
  const kind =
    [variant && normalVariant(meter, variant), region?.toLowerCase()].filter(Boolean).join('/') || null
  return {
    ...toRate(readAmount(amount, `${where}.amount`), meter, unit),
    tier: tier && tier.toLowerCase(),
    variant: kind,
    threshold,
    hours,
  }
}

/** What the layers say, by name, and where they say it. */
function collect<Name extends 'tiers' | 'rates'>(layers: readonly Layer[], name: Name) {
  const found = new Map<string, [given: Count | readonly OwnRate[], where: string]>()
  for (const layer of [...layers].reverse())
    for (const [key, given] of Object.entries(layer[name] ?? {}))
      found.set(key, [given as Count, `${layer.where}.${name}.${key}`])
  return found
}

function readAmount(given: Count | readonly OwnRate[], where: string): Exact {
  try {
    return exactCount(given as Count)
  } catch (error) {
    throw new UsageError(`${where}: ${(error as Error).message.replace('count', 'amount')}.`)
  }
}

/** @throws UsageError where it is no object, or has a field that means nothing here */
function checked<Value extends object>(given: Value, where: string, fields?: readonly string[]): Value {
  if (typeof given !== 'object' || given === null) throw new UsageError(`${where} is no object.`)
  const stray = fields && Object.keys(given).find((field) => !fields.includes(field))
  if (stray !== undefined)
    throw new UsageError(`${where} has no "${stray}": there are ${fields!.join(', ')}.`)
  return given
}
