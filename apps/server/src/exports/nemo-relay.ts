import { jsonText, type FormInput, type Written } from './form.ts'
import { nameByPlatform } from './names.ts'
import { isBilled, loseAnnounced, type ExportResource } from './resource.ts'
import { tokenRows, toNumbers, type TokenPrices } from './token-prices.ts'

const fields = {
  input_tokens: 'input_per_million',
  output_tokens: 'output_per_million',
  cached_input_tokens: 'cache_read_per_million',
  cache_write_tokens: 'cache_write_per_million',
}

/** NVIDIA NeMo Relay's pricing source: an entry for each model, in its own currency, with its day and its source. */
export function writeNemoRelay({ resources, losses }: FormInput): Written {
  const { rows: entries, held } = tokenRows(nameByPlatform(resources, losses), losses, {
    fields,
    hasTiers: true,
    needs: [fields.input_tokens, fields.output_tokens],
    buildKey: ({ platform, model }) => `${platform}/${model}`,
    isHeld: isBilled,
    toRow: ({ resource, platform, model }, prices) => {
      const { currency, source_url, source, effective_at, updated_at } = resource
      loseAnnounced(resource, losses)
      return {
        provider: platform,
        model_id: model,
        currency,
        unit: 'per_token',
        ...toSchedule(prices),
        prompt_cache: { read_accounting: chooseAccounting(resource) },
        pricing_as_of: (effective_at ?? updated_at).slice(0, 10),
        pricing_source: source_url ?? source,
      }
    },
  })
  return { content: jsonText({ version: 1, entries }), rows: entries.length, held }
}

/** Its tiers are closed at both ends, and each has all rates. */
function toSchedule({ base, tiers }: TokenPrices): object {
  if (tiers.length === 0) return { rates: toNumbers(base) }
  const steps = [{ over: -1, prices: base }, ...tiers].map(({ over, prices }, index) => ({
    ...(over >= 0 && { min_prompt_tokens: over + 1 }),
    ...(tiers[index] && { max_prompt_tokens: tiers[index].over }),
    rates: toNumbers(prices),
  }))
  return { rate_schedule: { type: 'prompt_token_threshold', applies_to: 'full_request', tiers: steps } }
}

/** Anthropic's own interface and Bedrock's count what the cache had beside the input, all others within it. */
function chooseAccounting({ platform, vendor }: ExportResource): string {
  const isBeside =
    platform === 'anthropic' || platform === 'bedrock' || (vendor === 'anthropic' && platform === 'vertex_ai')
  return isBeside ? 'separate' : 'included_in_prompt_tokens'
}
