import { readModelsDevRow } from '../sources/models-dev.ts'
import type { FormInput, Written } from './form.ts'
import { overlayRow } from './overlay.ts'
import { cardOf, createFinder, isPriced, type ExportResource } from './resource.ts'
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

interface Model {
  cost?: object
  experimental?: {
    modes?: Record<string, { cost?: object; provider?: { body?: { service_tier?: unknown } } }>
  }
}
type Providers = Record<string, { models: Record<string, Model> }>

/**
 * models.dev's api.json: its own providers and models, with our prices. What it does not list has no row, since a row
 * states limits and capabilities that nobody has told us.
 */
export function writeModelsDev({ resources, upstream, losses }: FormInput): Written {
  const find = createFinder(resources, 'models.dev')
  const held = new Set<ExportResource>()
  const counts = { rows: 0, ours: 0 }
  const file = Object.entries((upstream ?? {}) as Providers).map(([name, provider]) => {
    const models = Object.entries(provider.models ?? {}).map(([id, model]) => {
      counts.rows += 1
      const back = readModelsDevRow(name, id, model)
      const resource = back === null ? undefined : find(back.resource_id)
      if (resource === undefined) return [id, model] as const
      counts.ours += 1
      held.add(resource)
      return [id, overlayModel(resource, model, (row) => readModelsDevRow(name, id, row), losses)] as const
    })
    return [name, { ...provider, models: Object.fromEntries(models) }] as const
  })
  for (const resource of resources)
    if (!held.has(resource)) losses.add('resources that models.dev does not list', resource.resource_id)
  return {
    content: `${JSON.stringify(Object.fromEntries(file))}\n`,
    rows: counts.rows,
    held,
    upstream: counts,
  }
}

type Read = (row: Model) => ReturnType<typeof readModelsDevRow>

function overlayModel(resource: ExportResource, model: Model, read: Read, losses: Losses): Model {
  const { cost: _, ...bare } = model
  // A plan's models, and those that nobody prices: what it says of them is no price of use.
  if (cardOf(resource).length === 0) return model
  // Unknown, since all of its prices are read as USD.
  if (!isPriced(resource, losses)) return withoutModes(bare)
  const cost = buildCost(resource)
  const row =
    cost === null
      ? null
      : overlayRow(
          resource,
          model,
          [withModes({ ...model, cost }, resource), withoutModes({ ...model, cost })],
          { read, losses },
        )
  if (row !== null) return row
  losses.add('resources that would be read otherwise', resource.resource_id)
  return withoutModes(bare)
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
  return mapModes(model, (name, mode) => {
    const asked = mode.provider?.body?.service_tier
    return buildCost(resource, typeof asked === 'string' ? asked : name)
  })
}

const withoutModes = (model: Model) => mapModes(model, () => null)

/** The modes stay; their prices are ours or none. */
function mapModes(
  model: Model,
  costOf: (
    name: string,
    mode: NonNullable<NonNullable<Model['experimental']>['modes']>[string],
  ) => object | null,
): Model {
  const modes = model.experimental?.modes
  if (modes === undefined) return model
  const ours = Object.entries(modes).map(([name, mode]) => {
    const { cost: _, ...bare } = mode
    const cost = costOf(name, mode)
    return [name, { ...bare, ...(cost && { cost }) }] as const
  })
  return { ...model, experimental: { ...model.experimental, modes: Object.fromEntries(ours) } }
}
