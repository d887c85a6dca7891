import { z } from 'zod'
import { amountReader } from '../../features/prices/decimal.ts'
import type { RejectedRow } from '../../features/prices/price-record.ts'
import { rateKey, type Rate } from '../../features/prices/rate-card.ts'
import { UserError } from '../../platform/user-error.ts'
import { identify, sellerOf } from '../linking.ts'
import { modalityOfName } from '../modality.ts'
import type { Amounts, SourceReading } from '../source-record.ts'
import { inRegion, ratesOf, type PriceList, type RateOptions } from './portkey-meters.ts'
import { isPositive, noTokens, splitCard, unitOf, type Read } from './rate-reader.ts'
import { complaints, toReading, type Candidate } from './reading.ts'
import { readTar } from './tar.ts'

/** Price lists by provider, each an object keyed by model. */
export type PortkeyFile = Record<string, Record<string, unknown>>

/**
 * Portkey's pricing/*.json, in US cents: an object with all of them by provider.
 * https://github.com/Portkey-AI/models (MIT)
 */
export function readPortkey(file: unknown, knownProducts: Iterable<string> = []): SourceReading {
  const providers = Providers.safeParse(file)
  if (!providers.success) throw refusal(complaints(providers.error))
  const candidates: Candidate[] = []
  const rejected: RejectedRow[] = []
  for (const [provider, models] of Object.entries(providers.data)) {
    for (const row of rowsOf(provider, models)) {
      if ('reason' in row) rejected.push(row)
      else candidates.push(row)
    }
  }
  if (candidates.length === 0) throw refusal('none of its entries is a model with `pricing_config`')
  return toReading(candidates, rejected, knownProducts)
}

/** The parts of Portkey's repository: it publishes one file for each provider, and no file of all. */
export function portkeyFileOf(input: { json?: unknown; bytes?: Uint8Array; name?: string }): unknown {
  if (input.bytes) return fromArchive(input.bytes)
  const one = OneProvider.safeParse(input.json)
  if (!one.success || Object.keys(one.data).length === 0) return input.json
  const provider = /^([a-z0-9.-]+)\.json$/i.exec(input.name ?? '')?.[1]
  if (provider === undefined) {
    throw new UserError(
      "This is one provider's list, which does not say whose: name the file as Portkey does, such as openai.json.",
    )
  }
  return { [provider]: input.json }
}

const OneProvider = z.record(z.string(), z.looseObject({ pricing_config: z.unknown() }))

function fromArchive(bytes: Uint8Array): PortkeyFile {
  const providers: PortkeyFile = {}
  for (const { path, text } of readTar(bytes)) {
    const provider = /(?:^|\/)pricing\/([^/]+)\.json$/.exec(path)?.[1]
    if (provider === undefined) continue
    try {
      providers[provider] = JSON.parse(text) as Record<string, unknown>
    } catch (cause) {
      throw new UserError(`The Portkey archive is refused: ${path} is not JSON.`, { cause })
    }
  }
  if (Object.keys(providers).length === 0) throw refusal('the archive has no pricing/*.json')
  return providers
}

function refusal(complaint: string): UserError {
  return new UserError(`This is not a Portkey price file: ${complaint}.`)
}

const Providers = z.record(z.string(), z.record(z.string(), z.unknown()))

const Price = z.looseObject({ price: z.union([z.number(), z.string()]).nullish() })
const Prices = z
  .object({
    image: z.record(z.string(), z.record(z.string(), Price)).nullish(),
    additional_units: z.record(z.string(), Price).nullish(),
  })
  .catchall(Price)
const Config = z
  .looseObject({
    pay_as_you_go: Prices.nullish(),
    batch_config: Prices.nullish(),
    finetune_config: z.record(z.string(), Price).nullish(),
    fixed_cost: z.looseObject({ request: Price.nullish(), response: Price.nullish() }).nullish(),
    currency: z.string().nullish(),
  })
  .nullable()
const Mode = z.looseObject({
  pricing_config: Config.optional(),
  context_tiers: z.record(z.string(), z.looseObject({ pricing_config: Config })).nullish(),
})
const Model = z.looseObject({
  pricing_config: Config,
  custom_pricing: z
    .looseObject({
      /** `{"0": "lte-200k", "200000": "gt-200k"}`: from which number of tokens on which tier holds. */
      context_tier_map: z.record(z.string().regex(/^\d+$/), z.string()).nullish(),
      regions: z.record(z.string(), z.looseObject({ execution_modes: z.record(z.string(), Mode) })),
    })
    .nullish(),
})
type Model = z.infer<typeof Model>

/** A model of the list with the rows that state its price for longer requests. */
interface ModelRows {
  base?: { key: string; source: unknown }
  upTo: TierRow[]
  above: TierRow[]
}
interface TierRow {
  key: string
  threshold: number
  source: unknown
}

type Row = Candidate | RejectedRow

function rowsOf(provider: string, models: Record<string, unknown>): Row[] {
  const rejected: RejectedRow[] = []
  const groups = new Map<string, ModelRows>()
  for (const [key, source] of Object.entries(models)) {
    if (key === 'default') {
      rejected.push({
        id: `${provider}/${key}`,
        reason: 'is not a model: what Portkey assumes of unknown ones',
      })
      continue
    }
    // Google's and BytePlus' rows of requests up to, and above, a number of tokens: one model, not two.
    const [, name = key, side, thousands] = /^(.+)-(lte|gt)-(\d+)k$/.exec(key) ?? []
    const group = groups.get(name) ?? { upTo: [], above: [] }
    groups.set(name, group)
    const tier = { key, source, threshold: Number(thousands) * 1_000 }
    if (side === undefined) group.base = { key, source }
    else group[side === 'lte' ? 'upTo' : 'above'].push(tier)
  }
  return [...rejected, ...[...groups].flatMap(([name, group]) => modelRows(provider, name, group))]
}

/** The row of a model, which its tiers are kept in, and its tiers as rows that are not served on their own. */
function modelRows(provider: string, name: string, { base, upTo, above }: ModelRows): Row[] {
  const idOf = ({ key }: { key: string }) => `${provider}/${key}`
  const [head, ...others] = [...(base ? [base] : []), ...upTo.toSorted(byThreshold)]
  const refused = (row: { key: string }, reason: string) => ({ id: idOf(row), reason })
  if (!head) {
    return above.map((row) => refused(row, `is a tier of ${provider}/${name}, which the file does not list`))
  }
  const served = readModel(provider, name, head, above)
  if ('reason' in served) {
    const why = `is a tier of ${idOf(head)}, which ${served.reason}`
    return [served, ...[...others, ...above].map((row) => refused(row, why))]
  }
  return [
    served,
    ...others.map((row) => refused(row, `is the first tier of ${idOf(head)}, which is served`)),
    ...above.map((row) => refused(row, `is a tier of ${idOf(head)}, kept in its rate card`)),
  ]
}

function byThreshold(a: TierRow, b: TierRow): number {
  return a.threshold - b.threshold
}

function readModel(
  provider: string,
  name: string,
  head: { key: string; source: unknown },
  above: readonly TierRow[],
): Row {
  const id = `${provider}/${head.key}`
  const model = Model.safeParse(head.source)
  if (!model.success) return { id, reason: `cannot be read: ${complaints(model.error)}` }

  const { read, problems } = amountReader()
  const card = cardOf(name, model.data, {}, read)
  for (const { key, source, threshold } of above) {
    const tier = Model.safeParse(source)
    if (!tier.success)
      return { id, reason: `has a tier, ${key}, that cannot be read: ${complaints(tier.error)}` }
    card.push(...cardOf(name, tier.data, { threshold }, read))
  }
  if (problems.length > 0) return { id, reason: `has no usable price: ${problems.join('; ')}` }

  const { amounts: stated, rates } = splitCard(textInColumns(card))
  const amounts = withoutFillers(name, stated, lowestVideo(rates))
  return {
    id,
    identity: identify(sellerOf(provider), name),
    price: {
      modality: modalityOf(name, amounts, rates),
      unit: unitOf(amounts, rates),
      ...amounts,
      currency: model.data.pricing_config?.currency ?? 'USD',
      source_url: null, // stands in the history of the repository, not in its files
      effective_at: null,
    },
    rates,
    // `azure-openai` before `azure-ai`, and `bedrock` before `bedrock-mantle`.
    rank: ['azure-ai', 'bedrock-mantle'].includes(provider) ? 1 : 0,
  }
}

/** Everything that a row states: for all, in batches, once for training, by region and mode of service. */
function cardOf(
  name: string,
  { pricing_config, custom_pricing }: Model,
  at: RateOptions,
  read: Read,
): Rate[] {
  const list = (prices: PriceList | null | undefined, options: RateOptions = {}) =>
    ratesOf(name, prices ?? {}, { ...at, ...options }, read)
  const { pay_as_you_go, batch_config, finetune_config, fixed_cost } = pricing_config ?? {}
  const fee = { ...(fixed_cost?.request && { additional_units: { request: fixed_cost.request } }) }
  const general = [
    ...list(pay_as_you_go),
    ...list(batch_config, { service_tier: 'batch' }),
    ...list(finetune_config),
    ...list(fee),
  ]

  const tierStarts = new Map(
    Object.entries(custom_pricing?.context_tier_map ?? {}).map(([start, tier]) => [
      tier,
      Number(start) || null,
    ]),
  )
  const special = Object.entries(custom_pricing?.regions ?? {}).flatMap(([regions, { execution_modes }]) =>
    Object.entries(execution_modes).flatMap(([mode, { pricing_config: one, context_tiers }]) => {
      const service_tier = mode === 'standard' ? null : mode
      const rates = [
        ...list(one?.pay_as_you_go, { service_tier }),
        ...Object.entries(context_tiers ?? {}).flatMap(([tier, { pricing_config: config }]) =>
          list(config?.pay_as_you_go, {
            service_tier,
            threshold: tierStarts.get(tier) ?? at.threshold ?? null,
          }),
        ),
      ]
      return regions.split(',').map((region) => ({ region, rates }))
    }),
  )
  return merged(general, special)
}

/**
 * The general list where it has a price, completed by what holds in the `default` region. Where the two differ, and
 * where a region differs from both, the region's rate is kept beside under the region's name.
 */
function merged(
  general: readonly Rate[],
  special: readonly { region: string; rates: readonly Rate[] }[],
): Rate[] {
  const card = new Map<string, Rate>()
  for (const rate of general) {
    const key = rateKey(rate)
    if (!isPositive(card.get(key)?.amount ?? null)) card.set(key, rate)
  }
  const isDefault = ({ region }: { region: string }) => region === 'default'
  const differing: Rate[] = []
  for (const { region, rates } of [
    ...special.filter(isDefault),
    ...special.filter((one) => !isDefault(one)),
  ]) {
    for (const rate of rates) {
      if (rate.amount === '0') continue
      const key = rateKey(rate)
      const known = card.get(key)?.amount ?? null
      if (region === 'default' && !isPositive(known)) card.set(key, rate)
      else if (known !== rate.amount) differing.push(inRegion(rate, region))
    }
  }
  return [...card.values(), ...differing]
}

/** Image models state their text under names of its own, where others state all their tokens. */
function textInColumns(card: readonly Rate[]): Rate[] {
  const has = (meter: string) => card.some((rate) => rate.meter === meter && isPositive(rate.amount))
  const plain = ['input', 'cached_input', 'output'].filter((side) => !has(`${side}_tokens`))
  const meters = new Map(plain.map((side) => [`${side}_text_tokens`, `${side}_tokens`]))
  // What is renamed comes last and takes the place of a 0.
  const isRenamed = ({ meter }: Rate) => meters.has(meter)
  return [
    ...card.filter((rate) => !isRenamed(rate)),
    ...card.filter(isRenamed).map((rate) => ({ ...rate, meter: meters.get(rate.meter) ?? rate.meter })),
  ]
}

/** Of prices by resolution the lowest is the headline; all of them stay in the card. */
function lowestVideo(rates: readonly Rate[]): string | null {
  const prices = rates
    .filter(({ meter, service_tier, threshold, variant }) => {
      const isSize = /^\d+x\d+$/.test(variant ?? '')
      return meter === 'output_video_seconds' && service_tier === null && threshold === null && isSize
    })
    .map(({ amount }) => amount)
  return prices.toSorted((a, b) => Number(a) - Number(b))[0] ?? null
}

/** Portkey writes 0 for what it does not know; only a model that is called free is free. */
function withoutFillers(name: string, stated: Amounts, videoPerSec: string | null): Amounts {
  const amounts = { ...stated, video_per_sec: stated.video_per_sec ?? videoPerSec }
  const isPaid = isPositive(amounts.input_per_mtok) || isPositive(amounts.output_per_mtok)
  return isPaid || name.endsWith(':free') ? amounts : { ...amounts, ...noTokens }
}

/** The lists say what is billed, not what a model is for. */
function modalityOf(name: string, amounts: Amounts, rates: readonly Rate[]): Candidate['price']['modality'] {
  if (isPositive(amounts.image_per_unit)) return 'image'
  if (isPositive(amounts.video_per_sec)) return 'video'
  if (isPositive(amounts.audio_per_min)) return 'audio'
  const isPriced = amounts.input_per_mtok !== null || amounts.output_per_mtok !== null || rates.length > 0
  return modalityOfName(name) ?? (isPriced ? 'llm' : null)
}
