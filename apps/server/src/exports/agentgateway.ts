import { lookUp } from '../ingest/match/identify.ts'
import { jsonText, type FormInput, type Written } from './form.ts'
import { nameByPlatform } from './names.ts'
import { tokenRows, type Prices } from './token-prices.ts'

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
  const { rows, held } = tokenRows(nameByPlatform(resources, losses), losses, {
    fields,
    hasTiers: true,
    toRow: ({ resource, platform, model }, { base, tiers }) => {
      const onRounded = (field: string) => losses.add(rounded, resource.resource_id, field)
      const rates = roundRates(base, onRounded)
      const above = tiers.map(({ over, prices }) => ({
        contextOver: over,
        rates: roundRates(prices, onRounded),
      }))
      return { platform, entry: [model, { rates, ...(above.length > 0 && { tiers: above }) }] as const }
    },
  })
  const catalog = Map.groupBy(rows, ({ platform }) => lookUp(providers, platform) ?? platform)
  const models = [...catalog].map(
    ([name, own]) => [name, { models: Object.fromEntries(own.map(({ entry }) => entry)) }] as const,
  )
  return { content: jsonText({ providers: Object.fromEntries(models) }), rows: held.size, held }
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
