import { Decimal } from 'decimal.js'
import type { ChangeInput } from '../../features/changes/change-input.ts'
import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { ChangeDraft } from '../change-draft.ts'
import { ownModels } from '../taxonomy.ts'
import type { WordingContext } from './context.ts'
import { deadlineOf } from './deadline.ts'
import { latestRecord, modelOf, priceText } from './subject.ts'
import { successorOf } from './successor.ts'
import { boundedText } from './text.ts'

type Alternative = NonNullable<ChangeInput['alternatives']>[number]

const idCharsMax = 256
const nameCharsMax = 200
const notesCharsMax = 1_000

/**
 * Alternatives: the same product on other platforms, the cheapest first, then the maker's next version of it. Only for
 * changes that give a reason to move, and only for rows that are linked to a product.
 */
export function alternativesOf(draft: ChangeDraft, context: WordingContext): Alternative[] {
  if (!givesReasonToMove(draft)) return []
  const moved = draft.rows.flatMap(latestRecord)
  if (moved.every((record) => record.product_id !== draft.product)) return []

  const ids = new Set(draft.rows.map((row) => row.resource_id))
  const candidates = context.prices.filter((price) => !ids.has(price.resource_id))
  const found = [
    ...elsewhere(draft, moved, candidates, context).map((price) => ({ price, effort: 'low' as const })),
    ...successors(draft, moved, candidates, context).map((price) => ({ price, effort: 'medium' as const })),
  ]
  const [reference] = byCost(moved, context)
  return found.map(({ price, effort }, index) => {
    const product = price.product_id!
    return {
      product_id: boundedText(product, idCharsMax) || 'unknown',
      product_name: boundedText(`${modelOf(product)} on ${price.platform}`, nameCharsMax),
      vendor: boundedText(price.vendor, idCharsMax) || 'unknown',
      migration_effort: effort,
      cost_diff_pct: reference ? costDiffPct(reference, price, context) : null,
      notes: boundedText(`${price.resource_id}: ${priceText(price)}.`, notesCharsMax),
      rank: index + 1,
    }
  })
}

function givesReasonToMove(draft: ChangeDraft): boolean {
  if (draft.status === 'withdrawn') return false
  if (draft.category === 'deprecation') return deadlineOf(draft) !== null
  return draft.category === 'price_rise' || draft.category === 'model_removed'
}

/** The cheapest price of the product on each platform that the change is not about. */
function elsewhere(
  { product }: ChangeDraft,
  moved: readonly PriceRecord[],
  candidates: readonly PriceRecord[],
  context: WordingContext,
): PriceRecord[] {
  const taken = new Set(moved.map(({ platform }) => platform))
  const same = candidates.filter(
    ({ product_id, platform }) => product_id === product && platform !== null && !taken.has(platform),
  )
  const perPlatform = Map.groupBy(byCost(same, context), ({ platform }) => platform)
  return [...perPlatform.values()]
    .map(([cheapest]) => cheapest!)
    .slice(0, context.policy.alternatives.platformsMax)
}

/** The next version on the present platform, else with its maker, else where it is cheapest. */
function successors(
  { product }: ChangeDraft,
  moved: readonly PriceRecord[],
  candidates: readonly PriceRecord[],
  context: WordingContext,
): PriceRecord[] {
  const kinds = new Set(moved.map(({ vendor, modality }) => JSON.stringify([vendor, modality])))
  const akin = candidates.filter(
    ({ product_id, platform, vendor, modality }) =>
      product_id !== null &&
      product_id !== product &&
      platform !== null &&
      kinds.has(JSON.stringify([vendor, modality])),
  )
  const next = successorOf(
    product,
    akin.flatMap(({ product_id }) => product_id ?? []),
  )
  const offers = byCost(
    akin.filter(({ product_id }) => product_id === next),
    context,
  )
  const here = new Set(moved.map(({ platform }) => platform))
  const offer =
    offers.find(({ platform }) => here.has(platform)) ??
    offers.find(({ platform, vendor }) => ownModels[platform!] === vendor) ??
    offers[0]
  return offer ? [offer] : []
}

/** The cheapest first; prices that cannot be compared come last. */
function byCost(prices: readonly PriceRecord[], context: WordingContext): PriceRecord[] {
  const cost = (price: PriceRecord) => blendOf(price, context) ?? new Decimal(Infinity)
  return prices.toSorted(
    (a, b) =>
      cost(a).cmp(cost(b)) || (a.resource_id < b.resource_id ? -1 : a.resource_id > b.resource_id ? 1 : 0),
  )
}

function costDiffPct(from: PriceRecord, to: PriceRecord, context: WordingContext): number | null {
  const [before, after] = [blendOf(from, context), blendOf(to, context)]
  if (before === null || after === null || from.currency !== to.currency) return null
  // Adding 0 turns −0 into 0.
  return after.div(before).minus(1).times(100).toDecimalPlaces(1).toNumber() + 0
}

/** The average price of tokens; null: an amount is unknown, or all are free. */
function blendOf(price: PriceRecord, { policy }: WordingContext): Decimal | null {
  const { input_per_mtok: input, output_per_mtok: output } = price
  if (input === null || output === null) return null
  const { inputPerOutput } = policy.alternatives
  const blend = new Decimal(input)
    .times(inputPerOutput)
    .plus(output)
    .div(inputPerOutput + 1)
  return blend.isZero() ? null : blend
}
