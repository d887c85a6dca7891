import { jsonText, type FormInput, type Written } from './form.ts'
import { nameAlone } from './names.ts'
import { tokenRows } from './token-prices.ts'

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
  const { rows: data, held } = tokenRows(nameAlone(resources, losses), losses, {
    fields,
    needs: ['input', 'output'],
    toRow: ({ resource, model }, { base }) => {
      const { output, cache, createCache } = base
      const input = Number(base['input'])
      if (input === 0 && Object.values(base).some((amount) => Number(amount) > 0)) {
        losses.add('resources whose input alone is free', resource.resource_id)
        return null
      }
      const ratio = (amount = '') => (input === 0 ? 1 : Number(amount) / input)
      return {
        model_name: model,
        quota_type: 0,
        model_ratio: input / usdOfRatio,
        model_price: 0,
        completion_ratio: ratio(output),
        ...(cache !== undefined && { cache_ratio: ratio(cache) }),
        ...(createCache !== undefined && { create_cache_ratio: ratio(createCache) }),
      }
    },
  })
  return { content: jsonText({ success: true, data }), rows: data.length, held }
}
