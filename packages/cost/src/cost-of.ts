import { bookOf } from './book.ts'
import type { Card } from './card.ts'
import { itemsOf, requestsOf, type Item } from './counts.ts'
import { decimalOf, exactDecimal, plus, zero } from './exact.ts'
import { lineOf, type LineContext } from './line.ts'
import { cardAt, momentOf } from './moment.ts'
import { overrideOf } from './overrides.ts'
import type { Conditions } from './pick-rate.ts'
import { isOfRegion, resolve } from './resolve.ts'
import { promptTokens, thresholdPassed } from './threshold.ts'
import type {
  CatalogRecord,
  Cost,
  CostLine,
  CostOptions,
  Doubt,
  Money,
  Resolution,
  UnpricedLine,
  UnpricedReason,
  Usage,
} from './types.ts'

/**
 * What a usage costs, exactly. Each kind of use is a line with its rate and the record that states it. What has no price
 * is in `unpriced` with the reason, and then there is no `total`: unknown is never 0.
 *
 * @throws UsageError where the usage is none: see `@ratecard/cost/readers`
 */
export function costOf(usage: Usage, options: CostOptions): Cost {
  const { catalog, overrides } = options
  const book = bookOf(catalog)
  const items = itemsOf(usage)
  const requests = requestsOf(usage)
  const atMs = momentOf(options.at ?? usage.at)
  const nowMs = Date.now()
  const name = options.model ?? usage.model
  const platform = options.platform ?? usage.platform
  const given = normalRegion(options.region ?? usage.region)
  const { deployments } = options
  const resolution: Resolution | null =
    name === undefined ? null : resolve(name, { catalog, platform, region: given ?? undefined, deployments })
  const record = resolution?.isResolved ? resolution.record : null
  const region = given ?? (resolution?.isResolved ? resolution.region : null)

  const lines: CostLine[] = []
  const unpriced: UnpricedLine[] = []
  let sum = zero
  const refuse = (item: Item, reason: UnpricedReason, message: string) =>
    unpriced.push({ meter: item.meter, variant: item.variant, count: decimalOf(item.count), reason, message })

  let card: Card | null = null
  if (record === null) {
    const reason =
      resolution === null ? 'model_missing' : isAmbiguous(resolution) ? 'model_ambiguous' : 'model_unknown'
    for (const item of items) refuse(item, reason, messageOf(resolution))
  } else if (record.currency === null) {
    for (const item of items)
      refuse(item, 'no_rate', 'The catalog does not say in which currency it is paid.')
  } else if ((card = cardAt(record, atMs, catalog)) === null) {
    for (const item of items) refuse(item, 'before_history', beforeHistory)
  } else {
    const context: LineContext = {
      record,
      card,
      conditions: conditionsOf(
        record,
        card,
        items,
        requests,
        normalTier(options.tier ?? usage.tier),
        region,
        atMs,
      ),
      override: overrides === undefined ? null : overrideOf(overrides, record),
      version: book.snapshot.catalog_version,
    }
    for (const item of withRequests(items, card, requests)) {
      const priced = lineOf(item, context)
      if ('reason' in priced) refuse(item, priced.reason, priced.message)
      else {
        lines.push(priced.line)
        sum = plus(sum, priced.exact)
      }
    }
  }

  const stamp = catalog.stamp(nowMs)
  const base = {
    lines,
    currency: record?.currency ?? null,
    resourceId: record?.resource_id ?? null,
    productId: record?.product_id ?? null,
    rule: resolution?.isResolved ? resolution.rule : null,
    candidates: resolution === null || resolution.isResolved ? [] : resolution.candidates,
    source: 'catalog' as const,
    reported: reportedOf(usage),
    catalog: stamp,
    doubts: record === null ? [] : doubtsOf(record, card, requests, atMs, book.momentMs),
  }
  if (options.preferReported && base.reported !== null) {
    const { amount, currency } = base.reported
    return { ...base, source: 'reported', isWhole: true, total: amount, currency, unpriced: [] }
  }
  const { currency } = base
  // Nothing was used, of a model that nobody knows: that costs nothing, in no currency.
  if (unpriced.length === 0 && currency !== null)
    return { ...base, isWhole: true, total: decimalOf(sum), currency, unpriced: [] }
  return { ...base, isWhole: false, total: null, atLeast: decimalOf(sum), unpriced }
}

/** A fee per request is due where anything was used, also where the answer counts tokens alone. */
function withRequests(items: readonly Item[], card: Card, requests: number): readonly Item[] {
  if (!card.rates.has('requests') || items.length === 0) return items
  if (items.some(({ meter }) => meter === 'requests')) return items
  return [...items, { meter: 'requests', variant: null, count: { units: BigInt(requests), scale: 0 } }]
}

const beforeHistory =
  'The catalog does not know the price of that time. Use a snapshot of then: ratecard prices export --as-of.'

function messageOf(resolution: Resolution | null): string {
  if (resolution === null) return 'No model is named: give "model".'
  return resolution.isResolved ? '' : resolution.message
}

function isAmbiguous(resolution: Resolution): boolean {
  return !resolution.isResolved && resolution.reason === 'ambiguous'
}

function conditionsOf(
  record: CatalogRecord,
  card: Card,
  items: readonly Item[],
  requests: number,
  tier: string | null,
  region: string | null,
  atMs: number | null,
): Conditions {
  const isLong = requests === 1 && card.thresholds.length > 0
  return {
    tier,
    region,
    isOfRegion: isOfRegion(record.region, region),
    threshold: isLong ? thresholdPassed(card, record.platform, promptTokens(items)) : null,
    minute: atMs === null ? null : Math.floor(atMs / 60_000) % 1_440,
  }
}

/** Vendors' names of the tier that has no name. */
function normalTier(tier: string | null | undefined): string | null {
  const lower = tier?.toLowerCase() ?? ''
  return ['', 'standard', 'default', 'on_demand'].includes(lower) ? null : lower
}

/** Vendors' names of no region. */
function normalRegion(region: string | null | undefined): string | null {
  const lower = region?.toLowerCase() ?? ''
  return ['', 'default', 'not_available'].includes(lower) ? null : lower
}

function reportedOf({ reported }: Usage): Money | null {
  if (!reported) return null
  return { amount: decimalOf(exactDecimal(reported.amount)), currency: reported.currency }
}

const nothing: readonly Doubt[] = []

function doubtsOf(
  record: CatalogRecord,
  card: Card | null,
  requests: number,
  atMs: number | null,
  momentMs: number,
): readonly Doubt[] {
  const doubts: Doubt[] = []
  if (requests > 1 && card !== null && card.thresholds.length > 0) doubts.push('sum_of_requests')
  if (record.rates === null) doubts.push('no_rate_cards')
  if (record.is_confirmed === false) doubts.push('not_confirmed')
  if (record.gone_since != null) doubts.push('gone')
  if (atMs !== null && atMs > momentMs) doubts.push('catalog_older_than_use')
  return doubts.length === 0 ? nothing : doubts
}
