import { z } from 'zod'
import { FeatureError } from '../feature-error.ts'
import { Text } from '../../platform/forms.ts'

// Of which changes a subscription is told. The one rule for publishing, for previews and for explanations.

const vendorsMax = 20
const productsMax = 50
const nameMax = 200

/** A vendor or a product, as changes name it. It need not be known yet. */
export const FilterName = Text.min(1).max(nameMax)

/**
 * Of which changes a subscription is told. All that is set must hold, as in `GET /v1/changes`; an empty list and severity
 * 1 leave nothing out.
 */
export const WholeFilter = z.strictObject({
  vendors: z.array(FilterName).max(vendorsMax).meta({ uniqueItems: true }),
  products: z.array(FilterName).max(productsMax).meta({ uniqueItems: true }),
  min_severity: z.int().min(1).max(5),
})
export type WebhookFilter = z.infer<typeof WholeFilter>

export const noFilter: WebhookFilter = { vendors: [], products: [], min_severity: 1 }

const controls = /\p{Cc}/u

/** What a filter looks at. */
export interface FilteredChange {
  vendor: string
  product: string
  severity: number
}

/** Tells which changes a filter lets through; for many changes at a time. */
export function buildMatcher({
  vendors,
  products,
  min_severity,
}: WebhookFilter): (change: FilteredChange) => boolean {
  const [vendorSet, productSet] = [new Set(vendors), new Set(products)]
  return ({ vendor, product, severity }) =>
    severity >= min_severity &&
    (vendorSet.size === 0 || vendorSet.has(vendor)) &&
    (productSet.size === 0 || productSet.has(product))
}

/**
 * A filter as it is stored: each name once, in one order, so that equal filters are read as one.
 * @throws FeatureError invalid_input, with what is wrong
 */
export function toFilter({ vendors, products, min_severity }: Partial<WebhookFilter>): WebhookFilter {
  if (
    min_severity !== undefined &&
    !(Number.isInteger(min_severity) && min_severity >= 1 && min_severity <= 5)
  )
    throw invalid('The least severity must be a number from 1 to 5.')
  return {
    vendors: cleanNames(vendors ?? [], 'vendors', vendorsMax),
    products: cleanNames(products ?? [], 'products', productsMax),
    min_severity: min_severity ?? 1,
  }
}

function cleanNames(names: readonly string[], what: string, most: number): string[] {
  const unique = [...new Set(names)].sort()
  if (unique.length > most)
    throw invalid(`A filter may name at most ${most} ${what}; this one names ${unique.length}.`)
  for (const name of unique) {
    if (name.trim() === '') throw invalid(`A filter of ${what} cannot hold an empty name.`)
    if (name.length > nameMax) throw invalid(`A name in a filter has at most ${nameMax} characters.`)
    if (controls.test(name) || !name.isWellFormed())
      throw invalid(`A name in a filter cannot hold control characters.`)
  }
  return unique
}

function invalid(message: string): FeatureError {
  return new FeatureError(message, { code: 'invalid_input' })
}

/** Subscriptions that are told of the same changes, by the places of these in the list. */
export interface Audience<Target> {
  places: number[]
  targets: Target[]
}

/** Sorts subscriptions by the changes that they are told of. Those that are told of none are left out. */
export function findAudiences<Target>(
  groups: readonly { filter: WebhookFilter; targets: readonly Target[] }[],
  changes: readonly FilteredChange[],
): Audience<Target>[] {
  const audiences = new Map<string, Audience<Target>>()
  for (const { filter, targets } of groups) {
    const matches = buildMatcher(filter)
    const places = changes.flatMap((change, place) => (matches(change) ? place : []))
    if (places.length === 0) continue
    const key = places.join()
    const audience = audiences.get(key)
    if (audience) for (const target of targets) audience.targets.push(target)
    else audiences.set(key, { places, targets: [...targets] })
  }
  return [...audiences.values()]
}
