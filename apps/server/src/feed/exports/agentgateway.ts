import type { FormInput, Written } from './form.ts'
import { nameByPlatform } from './names.ts'
import { isPriced, type ExportResource } from './resource.ts'
import { pickTokenPrices, type Prices } from './token-prices.ts'

const fields = {
  input_tokens: 'input',
  output_tokens: 'output',
  cached_input_tokens: 'cacheRead',
  cache_write_tokens: 'cacheWrite',
  reasoning_tokens: 'reasoning',
  input_audio_tokens: 'inputAudio',
  output_audio_tokens: 'outputAudio',
}

/** agentgateway's names of providers, by ours. */
const providers: Readonly<Record<string, string>> = {
  azure: 'azure',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  vertex_ai: 'gcp.vertex_ai',
}

/** agentgateway's model catalogue: decimals as text in USD for a million tokens, with tiers by the length of the context. */
export function writeAgentgateway({ resources, losses }: FormInput): Written {
  const catalog = new Map<string, Map<string, object>>()
  const held = new Set<ExportResource>()
  for (const { resource, platform, model } of nameByPlatform(resources, losses)) {
    if (!isPriced(resource, losses)) continue
    const prices = pickTokenPrices(resource, { fields, hasTiers: true }, losses)
    if (prices === null) continue
    const toRates = (amounts: Prices) =>
      roundRates(amounts, (field) => losses.add(rounded, resource.resource_id, field))
    const provider = providers[platform] ?? platform
    const models = catalog.get(provider) ?? new Map<string, object>()
    catalog.set(provider, models)
    models.set(model, {
      rates: toRates(prices.base),
      ...(prices.tiers.length > 0 && {
        tiers: prices.tiers.map(({ over, prices }) => ({ contextOver: over, rates: toRates(prices) })),
      }),
    })
    held.add(resource)
  }
  const document = {
    providers: Object.fromEntries(
      [...catalog].map(([name, models]) => [name, { models: Object.fromEntries(models) }]),
    ),
  }
  return { content: `${JSON.stringify(document, null, 1)}\n`, rows: held.size, held }
}

const rounded = 'amounts of more than six decimals, which it refuses: they are rounded'
const decimalsMax = 6

function roundRates(amounts: Prices, onRounded: (field: string) => void): Prices {
  return Object.fromEntries(
    Object.entries(amounts).map(([field, amount]) => {
      if ((amount.split('.')[1] ?? '').length <= decimalsMax) return [field, amount]
      onRounded(field)
      return [field, String(Number(Number(amount).toFixed(decimalsMax)))]
    }),
  )
}
