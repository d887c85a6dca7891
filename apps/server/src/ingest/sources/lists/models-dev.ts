import { z } from 'zod'
import { amountReader, asStated, perThousandToPerOne, type Scale } from '../../../catalog/decimal.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify, findSeller } from '../../match/identify.ts'
import { decideModality } from '../../match/modality.ts'
import { noAmounts, type SourceReading, type SourceRecord } from '../../source-record.ts'
import { plans } from '../../match/taxonomy.ts'
import { newestDay } from '../reading/data-day.ts'
import { modelsDevFields } from './known-fields.ts'
import { modelsDevFacts } from '../reading/model-facts.ts'
import { isPositive, noTokens, splitCard, chooseUnit, type Read } from '../reading/rate-reader.ts'
import { complaints, Entries, toRate, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { findUnknownFields } from '../reading/unknown-fields.ts'

/**
 * models.dev's api.json: providers with models, in USD per million tokens.
 * https://github.com/anomalyco/models.dev (MIT)
 */
export function readModelsDev(json: unknown, now: Date = new Date()): SourceReading {
  const rows: [id: string, row: unknown][] = []
  const providers = Entries.safeParse(json)
  if (!providers.success) throw refusal(complaints(providers.error))
  const read: ReadRow[] = []
  for (const [name, value] of Object.entries(providers.data)) {
    const provider = Provider.safeParse(value)
    if (!provider.success) {
      read.push({ id: name, reason: `is no provider that can be read: ${complaints(provider.error)}` })
      continue
    }
    for (const [id, model] of Object.entries(provider.data.models)) {
      rows.push([`${name}/${id}`, model])
      read.push({ id: `${name}/${id}`, ...readModel(name, provider.data, id, model) })
    }
  }
  const reading = toReading(read)
  if (reading.records.length === 0) throw refusal(reading.rejected[0]?.reason ?? 'it lists no model')
  return {
    ...reading,
    data_at: newestDay(
      rows.map(([, row]) => Dated.safeParse(row).data?.last_updated),
      now,
    ),
    unknown_fields: findUnknownFields(rows, modelsDevFields([...Object.keys(meters), 'request'])),
  }
}

/** One model of such a file; null: it is no price. */
export function readModelsDevRow(provider: string, id: string, model: unknown): SourceRecord | null {
  return toReading([{ id, ...readModel(provider, { models: {} }, id, model) }]).records[0] ?? null
}

function refusal(complaint: string): UserError {
  return new UserError(`This is not models.dev's api.json: ${complaint}.`)
}

const Dated = z.looseObject({ last_updated: z.string().nullish() })

// An invalid link does not refuse the model.
const Provider = z.looseObject({ doc: z.string().nullish().catch(null), models: Entries })
type Provider = z.infer<typeof Provider>

const Amount = z.union([z.number(), z.string()]).nullish()
const Costs = z
  .object({
    tiers: z
      .array(
        z
          .object({
            tier: z.object({ size: z.int().positive(), type: z.literal('context').nullish() }),
          })
          .catchall(Amount),
      )
      .nullish(),
    context_over_200k: z.record(z.string(), Amount).nullish(),
  })
  .catchall(Amount)
type Costs = z.infer<typeof Costs>

const Mode = z.looseObject({
  cost: Costs.nullish(),
  provider: z
    .looseObject({ body: z.looseObject({ service_tier: z.unknown().optional() }).nullish() })
    .nullish(),
})
const Model = z.looseObject({
  modalities: z.looseObject({ output: z.array(z.string()) }).nullish(),
  cost: Costs.nullish(),
  experimental: z.looseObject({ modes: z.record(z.string(), Mode).nullish() }).nullish(),
  /** The model of this row, `maker/model`: under either name, where the file states it at all. */
  canonical_model_id: z.string().nullish(),
  base_model: z.string().nullish(),
})
type Model = z.infer<typeof Model>

function readModel(
  seller: string,
  provider: Provider,
  id: string,
  source: unknown,
): Candidate | { reason: string } {
  const parsed = Model.safeParse(source)
  if (!parsed.success) return { reason: `cannot be read: ${complaints(parsed.error)}` }
  const model = parsed.data

  const { read, problems } = amountReader()
  const card = splitCard(readCard(model, read))
  if (problems.length > 0) return { reason: `has no usable price: ${problems.join('; ')}` }

  const modality = decideModality(id, model.modalities?.output ?? [])
  const { amounts, rates, unit } = whatItCosts(card, {
    isPlan: plans.test(seller),
    isBilledByTokens: modality !== 'image' && modality !== 'audio' && modality !== 'video',
  })
  const where = findSeller(seller)
  return {
    id: `${seller}/${id}`,
    identity: identify(where, id, model.canonical_model_id ?? model.base_model),
    price: {
      modality,
      unit,
      ...amounts,
      currency: 'USD',
      source_url: provider.doc ?? null,
      // `release_date` and `last_updated` are the model's, not the price's: neither dates it, nor says that it was checked.
      effective_at: null,
    },
    rates,
    facts: modelsDevFacts(source),
    // `azure/gpt-5` before `azure-cognitive-services/gpt-5`.
    rank: seller.length,
  }
}

/** A price of 0 is stated only where tokens are billed. */
function whatItCosts(
  { amounts, rates }: ReturnType<typeof splitCard>,
  { isPlan, isBilledByTokens }: { isPlan: boolean; isBilledByTokens: boolean },
): ReturnType<typeof splitCard> & { unit: string | null } {
  const isPriced = rates.length > 0 || Object.values(amounts).some(isPositive)
  if (isPlan && !isPriced) return { amounts: noAmounts, rates, unit: 'plan' }
  const paid = isPriced || isBilledByTokens ? amounts : { ...amounts, ...noTokens }
  return { amounts: paid, rates, unit: chooseUnit(paid, rates) }
}

function readCard({ cost, experimental }: Model, read: Read): Rate[] {
  const modes = Object.entries(experimental?.modes ?? {}).map(([name, mode]) => {
    const asked = mode.provider?.body?.service_tier
    return readRates(mode.cost, typeof asked === 'string' ? asked : name, read)
  })
  return [...readRates(cost, null, read), ...modes.flat()]
}

/** `context_over_200k` is the older spelling of one tier; with both in a row they say the same. */
function readRates(costs: Costs | null | undefined, service_tier: string | null, read: Read): Rate[] {
  const { tiers, context_over_200k: over200k, ...base } = costs ?? {}
  const longer = tiers?.map(({ tier, ...amounts }) => ({ threshold: tier.size, amounts }))
  const old = over200k == null ? [] : [{ threshold: 200_000, amounts: over200k }]
  const steps = [{ threshold: null, amounts: base }, ...(longer ?? old)]
  return steps.flatMap(({ threshold, amounts }) =>
    Object.entries(amounts).flatMap(([field, stated]) => {
      const { meter, unit, scale } = findMeter(field)
      const amount = read(field, stated, scale)
      return amount === null ? [] : [toRate(meter, unit, amount, { service_tier, threshold })]
    }),
  )
}

/** Three spellings that the site's own build drops together with the price. They are read as they are meant. */
const meters: Readonly<Record<string, string>> = {
  input: 'input_tokens',
  output: 'output_tokens',
  cache_read: 'cached_input_tokens',
  cached_input: 'cached_input_tokens',
  cache_input: 'cached_input_tokens',
  cache_write: 'cache_write_tokens',
  cached_write: 'cache_write_tokens',
  reasoning: 'reasoning_tokens',
  input_audio: 'input_audio_tokens',
  output_audio: 'output_audio_tokens',
  image: 'output_image_tokens',
  citation: 'citation_tokens',
}

function findMeter(field: string): { meter: string; unit: string; scale: Scale } {
  // Perplexity's fee, per thousand as Perplexity states it.
  if (field === 'request') return { meter: 'requests', unit: 'request', scale: perThousandToPerOne }
  const meter = Object.hasOwn(meters, field) ? meters[field] : undefined
  return { meter: meter ?? field, unit: '1m_tokens', scale: asStated }
}
