import type { ChangeInput } from '../../../features/changes/change-input.ts'
import { amountColumns, type PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { daysBetween } from '../../days.ts'
import { buildKey, resourceKey } from '../../match/names.ts'
import { ownModels } from '../../match/taxonomy.ts'
import type { WordingContext } from './context.ts'
import { byCost, costFactor } from './cost.ts'
import { findDeadline } from './deadline.ts'
import { rowName } from './row-names.ts'
import { findClass } from './same-class.ts'
import { latestRecord, stripVendor, priceText } from './subject.ts'
import { findSuccessor } from './successor.ts'
import { boundedText } from './text.ts'

type Alternative = NonNullable<ChangeInput['alternatives']>[number]

interface Offer {
  price: PriceRecord
  effort: 'low' | 'medium'
  /** The seller itself names it as the replacement. */
  isNamed?: boolean
}

/** What one pays now, or paid last: alternatives are compared with it. */
interface Present {
  draft: ChangeDraft
  records: readonly PriceRecord[]
  /** The cheapest of the rows. */
  reference: PriceRecord
  /** Live prices that outlive the change, and of these such as are not many times dearer. */
  lasting: readonly PriceRecord[]
  candidates: readonly PriceRecord[]
  context: WordingContext
}

const idCharsMax = 256
const nameCharsMax = 200
const notesCharsMax = 1_000

/**
 * Alternatives for changes that give a reason to move: what the seller itself names in a model's place, then the least
 * work first: another version of the product on the same platform, the maker's next version, the same product elsewhere, cheapest first, and where all of this is little,
 * models of the same class.
 */
export function findAlternatives(draft: ChangeDraft, context: WordingContext): Alternative[] {
  if (!givesReasonToMove(draft)) return []
  const records = draft.rows.flatMap((row) =>
    latestRecord(row).map((record) => ({ ...record, resource_id: row.resource_id })),
  )
  const [reference] = byCost(records, context)
  if (!reference) return []
  const { countMax } = context.policy.alternatives
  const lasting = findLasting(draft, context)
  const candidates = lasting.filter((price) => {
    const factor = costFactor(reference, price, context)
    return factor === null || factor.lte(context.policy.alternatives.factorMax)
  })
  const present = { draft, records, reference, lasting, candidates, context }
  const named = findNamed(present)
  const found: Offer[] = [
    ...siblings(present).map((price) => ({ price, effort: 'low' as const })),
    ...successors(present).map((price) => ({ price, effort: 'medium' as const })),
    ...elsewhere(present).map((price) => ({ price, effort: 'low' as const })),
  ]
  const near = [
    ...named.map((price) => ({ price, effort: 'medium' as const, isNamed: true })),
    ...found.filter(({ price }) => !named.includes(price)),
  ]
  const products = new Set(near.map(({ price }) => price.product_id))
  const others =
    near.length > 1
      ? []
      : findClass(present).filter(({ product_id }) => product_id === null || !products.has(product_id))
  const offers: Offer[] = [...near, ...others.map((price) => ({ price, effort: 'medium' as const }))]
  return offers.slice(0, countMax).map((offer, index) => toAlternative(offer, index + 1, present))
}

function toAlternative(
  { price, effort, isNamed }: Offer,
  rank: number,
  { reference, context }: Present,
): Alternative {
  const factor = costFactor(reference, price, context)
  const isDear = factor !== null && factor.gt(context.policy.alternatives.dearFactorMin)
  const name = price.product_id === null ? rowName(price, []) : stripVendor(price.product_id)
  const seller = ownModels[price.platform!] === price.vendor ? 'the vendor' : price.platform
  const more =
    (isNamed ? ` Named by ${seller} as the replacement.` : '') +
    (isDear ? ` It costs ${factor.toSignificantDigits(2).toString()} times as much.` : '')
  return {
    product_id: boundedText(price.product_id ?? price.resource_id, idCharsMax) || 'unknown',
    product_name: boundedText(`${name} on ${price.platform}`, nameCharsMax),
    vendor: boundedText(price.vendor, idCharsMax) || 'unknown',
    migration_effort: effort,
    // Adding 0 turns −0 into 0.
    cost_diff_pct: factor === null ? null : factor.minus(1).times(100).toDecimalPlaces(1).toNumber() + 0,
    notes: `${boundedText(`${price.resource_id}: ${priceText(price)}.`, notesCharsMax - more.length)}${more}`,
    rank,
  }
}

function givesReasonToMove(draft: ChangeDraft): boolean {
  if (draft.status === 'withdrawn') return false
  if (draft.category === 'deprecation') return findDeadline(draft) !== null
  return draft.category === 'price_rise' || draft.category === 'model_removed'
}

/** Prices that outlive the change, and are sold somewhere. */
function findLasting(draft: ChangeDraft, context: WordingContext): PriceRecord[] {
  const { livesDaysMin } = context.policy.alternatives
  const ids = new Set(draft.rows.map((row) => row.resource_id))
  const deadline = findDeadline(draft) ?? context.today
  const start = deadline < context.today ? context.today : deadline
  return context.prices.filter((price) => {
    if (ids.has(price.resource_id) || price.platform === null || !hasPrice(price)) return false
    const retires = context.retirements.get(price.resource_id)
    return retires === undefined || daysBetween(start, retires) >= livesDaysMin
  })
}

/** What the sellers of the rows name in their place, whatever it costs. */
function findNamed({ draft, lasting }: Present): PriceRecord[] {
  const keys = draft.rows.flatMap(({ before, after }) => {
    const { record, replaced_by } = (after ?? before)!
    return replaced_by === undefined ? [] : [resourceKey(`${record.platform}:${replaced_by}`)]
  })
  return [...new Set(keys)].flatMap((key) => lasting.find((price) => buildKey(price) === key) ?? [])
}

function hasPrice(price: PriceRecord): boolean {
  return amountColumns.some((column) => price[column] !== null)
}

/**
 * Another version of the product on a platform of the change: no older one, the newest first, and among versions that
 * no day tells apart the cheapest, for later ones cost less. For a rise, only one that costs less.
 */
function siblings({ draft, records, reference, candidates, context }: Present): PriceRecord[] {
  const platforms = new Set(records.map(({ platform }) => platform))
  const regions = new Set(records.map(({ region }) => region))
  const latest = records.map(dayInId).sort().at(-1)!
  const same = candidates.filter((price) => {
    if (price.product_id !== draft.product || !platforms.has(price.platform)) return false
    return regions.has(price.region) && (dayInId(price) === '' || dayInId(price) > latest)
  })
  const isRise = draft.category === 'price_rise'
  const offered = isRise
    ? same.filter((price) => costFactor(reference, price, context)?.lt(1) ?? false)
    : same
  const cheapest = byCost(offered, context, reference.currency)
  const dated = isRise ? cheapest : cheapest.toSorted((a, b) => compareText(dayInId(b), dayInId(a)))
  return dated.slice(0, 1)
}

/** The day that tells a version apart, `20241022`; empty: its id has none. */
function dayInId({ resource_id }: PriceRecord): string {
  return /(20\d\d)-?([01]\d)-?([0-3]\d)(?!\d)/.exec(resource_id)?.slice(1).join('') ?? ''
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The cheapest price of the product on each platform that the change is not about. */
function elsewhere({ draft, records, reference, candidates, context }: Present): PriceRecord[] {
  const taken = new Set(records.map(({ platform }) => platform))
  const { cheapFactorMin } = context.policy.alternatives
  const same = candidates.filter((price) => {
    if (price.product_id !== draft.product || taken.has(price.platform)) return false
    return costFactor(reference, price, context)?.gte(cheapFactorMin) ?? true
  })
  const perPlatform = Map.groupBy(byCost(same, context, reference.currency), ({ platform }) => platform)
  return [...perPlatform.values()]
    .map(([cheapest]) => cheapest!)
    .slice(0, context.policy.alternatives.platformsMax)
}

/** The next version on the present platform, else with its maker, else where it is cheapest. */
function successors({ draft, records, reference, candidates, context }: Present): PriceRecord[] {
  if (records.every((record) => record.product_id !== draft.product)) return []
  const kinds = new Set(records.map(({ vendor, modality }) => JSON.stringify([vendor, modality])))
  const akin = candidates.filter(
    ({ product_id, vendor, modality }) =>
      product_id !== null && product_id !== draft.product && kinds.has(JSON.stringify([vendor, modality])),
  )
  const next = findSuccessor(
    draft.product,
    akin.flatMap(({ product_id }) => product_id ?? []),
  )
  const offers = byCost(
    akin.filter(({ product_id }) => product_id === next),
    context,
    reference.currency,
  )
  const here = new Set(records.map(({ platform }) => platform))
  const offer =
    offers.find(({ platform }) => here.has(platform)) ??
    offers.find(({ platform, vendor }) => ownModels[platform!] === vendor) ??
    offers[0]
  return offer ? [offer] : []
}
