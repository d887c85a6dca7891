import type { FormInput, Written } from './form.ts'
import { nameAlone } from './names.ts'
import { isPriced, type ExportResource } from './resource.ts'
import { pickTokenPrices } from './token-prices.ts'

const fields = {
  input_tokens: 'input',
  output_tokens: 'output',
  cached_input_tokens: 'cache',
  cache_write_tokens: 'createCache',
}
/** A ratio of 1 is 2 USD for a million tokens of input; all else is a multiple of the input. */
const usdOfRatio = 2

/** What new-api (of the one-api family) reads from another of its kind: `GET /api/pricing`. */
export function writeNewApi({ resources, losses }: FormInput): Written {
  const held = new Set<ExportResource>()
  const data = nameAlone(resources, losses).flatMap(({ resource, model }) => {
    if (!isPriced(resource, losses)) return []
    const prices = pickTokenPrices(resource, { fields, hasTiers: false }, losses)
    if (prices === null) return []
    const { input, output, cache, createCache } = prices.base
    if (input === undefined || output === undefined) {
      losses.add('resources of which only input or output is known', resource.resource_id)
      return []
    }
    if (Number(input) === 0 && [output, cache, createCache].some((amount) => Number(amount ?? 0) > 0)) {
      losses.add('resources whose input alone is free', resource.resource_id)
      return []
    }
    const ratio = (amount: string) => (Number(input) === 0 ? 1 : Number(amount) / Number(input))
    held.add(resource)
    return [
      {
        model_name: model,
        quota_type: 0,
        model_ratio: Number(input) / usdOfRatio,
        model_price: 0,
        completion_ratio: ratio(output),
        ...(cache !== undefined && { cache_ratio: ratio(cache) }),
        ...(createCache !== undefined && { create_cache_ratio: ratio(createCache) }),
      },
    ]
  })
  return { content: `${JSON.stringify({ success: true, data }, null, 1)}\n`, rows: data.length, held }
}
