import { type Catalog, findBook } from './book.ts'
import { asBilled, listItems, countRequests, leastSeconds, type Item } from './counts.ts'
import { formatDecimal, exactDecimal, plus, zero, type Exact } from './exact.ts'
import { computeAmount, lookUpPrice, type LineContext, type Refusal } from './line.ts'
import type { Card } from './card.ts'
import { cardAt, findMinute, toMoment, type CardThen } from './moment.ts'
import { isOfRegion, resolve } from './resolve.ts'
import { thresholdPassed } from './threshold.ts'
import type {
  Cost,
  CostLine,
  CostOptions,
  Decimal,
  Doubt,
  Money,
  PartialCost,
  Resolution,
  UnpricedLine,
  Usage,
} from './types.ts'

/** What `costOf` is told besides a usage that is read. What is named here wins over what the usage says. */
export interface CoreOptions extends Omit<CostOptions, 'overrides'> {
  /** What you pay, where it is not the list price: `ownPrices({ … })`. */
  readonly overrides?: OwnPrices | undefined
}

/** Prices of your own, as `ownPrices` of `@ratecard/cost` makes them. */
export interface OwnPrices {
  /** For this package: what of them holds for a model. */
  readonly layFor: (name: string, platform: string | undefined, listed: Resolution) => object
}

/** What holds for a model. */
export interface Laid {
  /** The model of the list, or one's own. */
  readonly resolution: Resolution
  readonly multiplier: Exact | undefined
  readonly layOver: (card: Card) => Card
}

/**
 * What a usage costs, exactly. Each kind of use is a line with its rate and the record that states it. What has no price
 * is in `unpriced` with the reason, and then there is no `total`: unknown is never 0.
 *
 * @throws UsageError where the usage is none: see `@ratecard/cost/readers`
 */
export function costOf(usage: Usage, options: CoreOptions): Cost {
  const { catalog, overrides } = options
  const book = findBook(catalog)
  const items = listItems(usage)
  const requests = countRequests(usage)
  const atMs = toMoment(options.at ?? usage.at)
  const name = options.model ?? usage.model
  const platform = options.platform ?? usage.platform
  const given = named(options.region ?? usage.region)
  const { deployments } = options
  let resolution: Resolution | null =
    name === undefined ? null : resolve(name, { catalog, platform, region: given ?? undefined, deployments })
  const own = resolution && (overrides?.layFor(name!, platform, resolution) as Laid | undefined)
  if (own) ({ resolution } = own)
  const record = resolution?.isResolved ? resolution.record : null
  const region = given ?? (resolution?.isResolved ? resolution.region : null)

  const lines: CostLine[] = []
  const unpriced: UnpricedLine[] = []
  let sum = zero
  const found = findCard(resolution, atMs, catalog)
  const listed = 'reason' in found ? null : found.card
  const card = listed && own ? own.layOver(listed) : listed
  const context: LineContext | null = record &&
    card && {
      record,
      card,
      conditions: {
        tier: named(options.tier ?? usage.tier),
        region,
        isOfRegion: isOfRegion(record, region),
        threshold:
          requests === 1 && card.thresholds.length > 0 ? thresholdPassed(card, record.platform, items) : null,
        minute: atMs === null ? null : findMinute(atMs, card.rates.has('week_hours')),
      },
      multiplier: own?.multiplier,
    }
  const billed = card === null ? items : asBilled(items, card, requests)
  for (const item of billed) {
    const price = context === null ? (found as Refusal) : lookUpPrice(item, context)
    const { meter, variant } = item
    const count = formatDecimal(item.count)
    if ('reason' in price) unpriced.push({ meter, variant, count, ...price })
    else {
      const amount = computeAmount(item.count, price)
      lines.push({
        meter,
        variant,
        count,
        unit: price.unit,
        rate: price.rate,
        amount: formatDecimal(amount),
        listRate: price.listRate,
        multiplier: price.multiplier,
        tier: price.tier,
        threshold: price.threshold,
        hours: price.hours,
        billedAs: price.billedAs,
        resourceId: price.resourceId,
        catalogVersion: book.snapshot.catalog_version,
      })
      sum = plus(sum, amount)
    }
  }

  const cost: Draft = {
    lines,
    currency: record?.currency ?? null,
    resourceId: record?.resource_id ?? null,
    productId: record?.product_id ?? null,
    rule: resolution?.isResolved ? resolution.rule : null,
    candidates: resolution === null || resolution.isResolved ? [] : resolution.candidates,
    source: 'catalog',
    reported: readReported(usage),
    catalog: catalog.stamp(),
    checkedOn: record?.checked_on ?? null,
    doubts:
      resolution?.isResolved && resolution.rule !== 'override'
        ? listDoubts(resolution, found, billed, requests, atMs, book.momentMs)
        : [],
    isWhole: true,
    total: null,
    unpriced,
  }
  if (options.preferReported && cost.reported !== null) {
    cost.source = 'reported'
    cost.total = cost.reported.amount
    cost.currency = cost.reported.currency
    cost.unpriced = []
  } else if (unpriced.length === 0 && cost.currency !== null) cost.total = formatDecimal(sum)
  else {
    // Nothing was used, of a model that nobody knows, costs nothing in no currency.
    cost.isWhole = false
    cost.atLeast = formatDecimal(sum)
  }
  return cost as Cost
}

/** A cost while it is made: one object that is filled is made much faster than one of parts. */
type Draft = { -readonly [Field in Exclude<keyof PartialCost, Verdict>]: PartialCost[Field] } & {
  isWhole: boolean
  total: Decimal | null
  atLeast?: Decimal
}
type Verdict = 'isWhole' | 'total' | 'atLeast'

/** The card by which all is priced, or why nothing is. */
function findCard(resolution: Resolution | null, atMs: number | null, catalog: Catalog): CardThen | Refusal {
  if (resolution === null) return { reason: 'model_missing', message: 'No model is named: give "model".' }
  if (!resolution.isResolved) return { reason: `model_${resolution.reason}`, message: resolution.message }
  const { record } = resolution
  if (record.currency === null) return { reason: 'no_rate', message: 'The catalog has no currency for it.' }
  const then = cardAt(record, atMs, catalog)
  if (typeof then !== 'string') return then
  return {
    reason: 'before_history',
    message: `The price of ${record.resource_id} changed on ${then}: load a catalog of before.`,
  }
}

/** A tier or a region; null: by vendors' names, that which has no name. */
function named(name: string | null | undefined): string | null {
  const lower = name?.toLowerCase()
  return !lower || /^(?:standard|default|on_demand|not_available)$/.test(lower) ? null : lower
}

function readReported({ reported }: Usage): Money | null {
  if (!reported) return null
  return { amount: formatDecimal(exactDecimal(reported.amount)), currency: reported.currency }
}

function listDoubts(
  { record, isPlatformAssumed }: Extract<Resolution, { isResolved: true }>,
  found: CardThen | Refusal,
  items: readonly Item[],
  requests: number,
  atMs: number | null,
  momentMs: number,
): readonly Doubt[] {
  const doubts: Doubt[] = isPlatformAssumed ? ['platform_assumed'] : []
  if ('card' in found) {
    const { open, thresholds, rates } = found.card
    if (requests > 1 && (thresholds.length > 0 || rates.has(leastSeconds))) doubts.push('sum_of_requests')
    if (found.isAssumed) doubts.push('price_assumed')
    const ended = record.ended_on ?? record.retires_on
    if (ended != null && Date.parse(ended) <= (atMs ?? momentMs)) doubts.push('price_ended')
    if (open.size > 0 && items.some(({ meter }) => open.has(meter))) doubts.push('vendor_rule')
  }
  if (record.rates === null) doubts.push('no_rate_cards')
  if (record.is_confirmed === false) doubts.push('not_confirmed')
  if (record.gone_since != null) doubts.push('gone')
  const { checked_on } = record
  if (atMs !== null && atMs > (checked_on == null ? momentMs : Date.parse(checked_on)) + freshMs)
    doubts.push('catalog_older_than_use')
  return doubts
}

/**
 * A price is doubted that was checked longer ago than this before the use. Of the prices of first-party chat models in
 * LiteLLM's map none of 845 moved from July 5 to August 1 of 2026, and 2.8 % of 391 within the year before: within 90
 * days it is less than one in a hundred.
 */
const freshMs = 90 * 86_400_000
