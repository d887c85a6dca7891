import { readModelsDevRow } from '../ingest/sources/lists/models-dev.ts'
import type { FormInput, Written } from './form.ts'
import { Overlay } from './overlay.ts'
import type { ExportResource } from './resource.ts'
import { Losses } from './report.ts'
import { pickTokenPrices, toNumbers } from './token-prices.ts'

const fields = {
  input_tokens: 'input',
  output_tokens: 'output',
  cached_input_tokens: 'cache_read',
  cache_write_tokens: 'cache_write',
  reasoning_tokens: 'reasoning',
  input_audio_tokens: 'input_audio',
  output_audio_tokens: 'output_audio',
}

interface Mode {
  cost?: object
  provider?: { body?: { service_tier?: unknown } }
}
interface Model {
  cost?: object
  experimental?: { modes?: Record<string, Mode> }
}
type Providers = Record<string, { models: Record<string, Model> }>

/**
 * models.dev's api.json: its own providers and models, with our prices. What it does not list has no row, since a row
 * states limits and capabilities that nobody has told us.
 */
export function writeModelsDev({ resources, upstream, losses }: FormInput): Written {
  const overlay = new Overlay(resources, 'models.dev', losses)
  const file = Object.entries((upstream ?? {}) as Providers).map(([name, provider]) => {
    const models = Object.entries(provider.models ?? {}).map(([id, model]) => {
      const { cost: _, ...bare } = model
      const laid = overlay.lay<Model>(model, {
        read: (row) => readModelsDevRow(name, id, row),
        bare: withoutModes(bare),
        write: (resource) => {
          const cost = buildCost(resource)
          return cost && [withModes({ ...model, cost }, resource), withoutModes({ ...model, cost })]
        },
      })
      return [id, laid] as const
    })
    return [name, { ...provider, models: Object.fromEntries(models) }] as const
  })
  const { held, upstream: counts } = overlay
  for (const resource of resources)
    if (!held.has(resource)) losses.add('resources that models.dev does not list', resource.resource_id)
  const content = `${JSON.stringify(Object.fromEntries(file))}\n`
  return { content, rows: counts.rows, held, upstream: counts }
}

/** Without input and output there is no cost in its form. */
function buildCost(resource: ExportResource, service: string | null = null): object | null {
  const prices = pickTokenPrices(resource, { fields, hasTiers: true, hasServices: true }, new Losses())
  if (prices === null) return null
  const base = service === null ? prices.base : prices.services.find(({ name }) => name === service)?.prices
  if (base === undefined || !('input' in base && 'output' in base)) return null
  const tiers = service === null ? prices.tiers : []
  // The older spelling of one tier, which opencode reads.
  const over200k = tiers.find(({ over }) => over === 200_000)
  return {
    ...toNumbers(base),
    ...(over200k && { context_over_200k: toNumbers(over200k.prices) }),
    ...(tiers.length > 0 && {
      tiers: tiers.map(({ over, prices }) => ({
        ...toNumbers(prices),
        tier: { type: 'context', size: over },
      })),
    }),
  }
}

function withModes(model: Model, resource: ExportResource): Model {
  return mapModes(model, (name, { provider }) => {
    const asked = provider?.body?.service_tier
    return buildCost(resource, typeof asked === 'string' ? asked : name)
  })
}

const withoutModes = (model: Model) => mapModes(model, () => null)

/** The modes stay; their prices are ours or none. */
function mapModes(model: Model, buildModeCost: (name: string, mode: Mode) => object | null): Model {
  const modes = model.experimental?.modes
  if (modes === undefined) return model
  const ours = Object.entries(modes).map(([name, mode]) => {
    const { cost: _, ...bare } = mode
    const cost = buildModeCost(name, mode)
    return [name, { ...bare, ...(cost && { cost }) }] as const
  })
  return { ...model, experimental: { ...model.experimental, modes: Object.fromEntries(ours) } }
}
