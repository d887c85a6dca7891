import { exactCount, type Exact } from './exact.ts'
import type { CatalogRecord, Override, Overrides } from './types.ts'

/** What holds for one record, of all that is laid over its prices. */
export interface LayeredOverride {
  readonly multiplier: Exact | undefined
  readonly rates: Override['rates']
}

/** Of several layers the most special one that says something holds: model, product, platform, all. */
export function findOverride(overrides: Overrides, record: CatalogRecord): LayeredOverride | null {
  const layers = [
    own(overrides.models, record.resource_id),
    own(overrides.models, record.product_id),
    own(overrides.platforms, record.platform),
  ].filter((layer) => layer !== undefined)
  const multiplier =
    layers.find((layer) => layer.multiplier !== undefined)?.multiplier ?? overrides.multiplier
  const rates = Object.assign({}, ...layers.map((layer) => layer.rates).reverse()) as NonNullable<
    Override['rates']
  >
  return { multiplier: multiplier === undefined ? undefined : factor(multiplier), rates }
}

function factor(multiplier: NonNullable<Overrides['multiplier']>): Exact {
  try {
    return exactCount(multiplier)
  } catch (error) {
    throw new TypeError(
      `overrides: a multiplier ${(error as Error).message.replace('is no count: it is', 'is')}.`,
    )
  }
}

function own(
  layers: Readonly<Record<string, Override>> | undefined,
  key: string | null,
): Override | undefined {
  return layers !== undefined && key !== null && Object.hasOwn(layers, key) ? layers[key] : undefined
}
