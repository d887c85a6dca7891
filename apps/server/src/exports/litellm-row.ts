import {
  asStated,
  inSourceUnit,
  perOneToPerMillion,
  perSecondToPerMinute,
  type Scale,
} from '../catalog/decimal.ts'
import { amountColumns, type AmountColumn, type Modality } from '../catalog/price-record.ts'
import { rateKey, type Rate } from '../catalog/rate-card.ts'
import { findSeller, lookUp } from '../ingest/match/identify.ts'
import { resourceKey } from '../ingest/match/names.ts'
import type { SourceRecord } from '../ingest/source-record.ts'
import { readLitellmRow } from '../ingest/sources/lists/litellm.ts'
import { isPriceField, isUnderstood } from '../ingest/sources/lists/litellm-fields.ts'
import { toRate } from '../ingest/sources/reading/reading.ts'
import { sellers } from '../ingest/match/taxonomy.ts'
import { chooseRow, compareCards, type Lost } from './overlay.ts'
import type { Losses } from './report.ts'
import { nameRate, whyLost, type ExportResource } from './resource.ts'
import { findField } from './litellm-fields.ts'

/**
 * The row of LiteLLM's map that is read back as the resource. What is written is read by our own importer, and only what
 * it reads right stays.
 *
 * A resource without a price is left out: LiteLLM takes a price that is not stated for 0.
 * @param isTaken whether the map has the key already
 */
export function litellmRow(
  resource: ExportResource,
  isTaken: (key: string) => boolean,
  losses: Losses,
): { key: string; row: object } | null {
  const fields = priceFields(resource, losses)
  if (fields === null) return null
  const about = {
    ...(resource.modality !== null && { mode: chooseMode(resource, resource.modality) }),
    ...(resource.retires_on !== null && { deprecation_date: resource.retires_on }),
    ...(resource.source_url !== null && { source: resource.source_url }),
  }
  for (const { key, litellm_provider } of listNames(resource)) {
    if (isTaken(key)) continue
    const row = { litellm_provider, ...about, ...fields }
    const back = readLitellmRow(key, row)
    if (back === null || resourceKey(back.resource_id) !== resourceKey(resource.resource_id)) continue
    return chooseRow(resource, [row], () => findLosses(resource, back), losses) && { key, row }
  }
  losses.add('resources that its keys cannot name', resource.resource_id)
  return null
}

/** LiteLLM's own row with our prices in place of its own. Where that cannot be, it stays, and the loss says why. */
export function overlayRow(key: string, row: object, resource: ExportResource, losses: Losses): object {
  const fields = priceFields(resource, losses, row)
  if (fields === null) return row
  // Factors are of its own routes, and stay.
  delete fields['provider_specific_entry']
  const bare = Object.entries(row).filter(([field]) => !isPriceField(field) && field !== 'tiered_pricing')
  const ours = { ...Object.fromEntries(bare), ...fields }
  const find = (one: object) => findLosses(resource, readLitellmRow(key, one))
  return chooseRow<object>(resource, [row, ours], find, losses) ?? row
}

/** @param own a row of LiteLLM's: of a name that nobody understands, what it has itself is written */
function priceFields(resource: ExportResource, losses: Losses, own: object = {}): Fields | null {
  const fields = buildFields(resource, own)
  const isUsd = resource.currency === 'USD'
  if (isUsd && Object.keys(fields).length > 0) return fields
  const why = isUsd ? 'resources without a price' : 'resources in another currency than USD'
  losses.add(why, resource.resource_id)
  return null
}

/**
 * LiteLLM's names of platforms, where they are not ours. A platform that is not listed has its own name there. Data
 * only: names that LiteLLM does not know are read back all the same.
 */
const litellmProviders: Readonly<Record<string, string>> = {
  codestral: 'text-completion-codestral',
  fireworks: 'fireworks_ai',
  google: 'gemini',
  together: 'together_ai',
  vercel: 'vercel_ai_gateway',
}

/** `litellm_provider` and key, the likeliest first: as LiteLLM names the resource itself, else by its platform. */
function* listNames({ resource_id, region, aliases }: ExportResource) {
  const [, platform = '', id = ''] = /^([^:]*):(.*)$/s.exec(resource_id) ?? []
  const usual = lookUp(litellmProviders, platform) ?? platform
  const own = aliases.find(({ source }) => source === 'litellm')?.key
  const bare = region !== null && id.startsWith(`${region}:`) ? id.slice(region.length + 1) : id
  const branches = Object.entries(sellers).flatMap(([name, seller]) =>
    seller.platform === platform && (seller.region ?? null) === region && name !== usual ? [name] : [],
  )
  for (const litellm_provider of [usual, ...branches]) {
    if (findSeller(litellm_provider).platform !== platform) continue
    if (own !== undefined) yield { key: own, litellm_provider }
    yield { key: `${litellm_provider}/${bare}`, litellm_provider }
    if (region !== null) yield { key: `${litellm_provider}/${region}/${bare}`, litellm_provider }
  }
}

/** Its kinds of model, by ours. */
const modes: Readonly<Record<Modality, string>> = {
  llm: 'chat',
  embedding: 'embedding',
  image: 'image_generation',
  audio: 'audio_transcription',
  video: 'video_generation',
  rerank: 'rerank',
  moderation: 'moderation',
  ocr: 'ocr',
  search: 'search',
  other: 'vector_store',
}

/** Characters are spoken, and not heard. */
function chooseMode({ rates }: ExportResource, modality: Modality): string {
  const isSpoken = modality === 'audio' && rates?.some(({ meter }) => meter.endsWith('characters')) === true
  return isSpoken ? 'audio_speech' : modes[modality]
}

const columnFields: Readonly<Record<AmountColumn, { field: string; scale: Scale; of?: Modality }>> = {
  input_per_mtok: { field: 'input_cost_per_token', scale: perOneToPerMillion },
  output_per_mtok: { field: 'output_cost_per_token', scale: perOneToPerMillion },
  cached_input_per_mtok: { field: 'cache_read_input_token_cost', scale: perOneToPerMillion },
  image_per_unit: { field: 'output_cost_per_image', scale: asStated, of: 'image' },
  audio_per_min: { field: 'input_cost_per_second', scale: perSecondToPerMinute, of: 'audio' },
  video_per_sec: { field: 'output_cost_per_second', scale: asStated, of: 'video' },
}

/** The card in LiteLLM's terms: a search has a price for each size of its context, if need be the same one. */
function pickRates({ rates }: ExportResource): Rate[] {
  return (rates ?? []).flatMap((rate) => {
    const { meter, unit, amount } = rate
    const isPlain = rateKey(rate) === rateKey(toRate('searches', 'query', amount))
    if (!isPlain || rates?.some((other) => other.meter === meter && other.variant !== null)) return [rate]
    return ['low', 'medium', 'high'].map((variant) => toRate(meter, unit, amount, { variant }))
  })
}

type Fields = Record<string, number | Record<string, number>>

function buildFields(resource: ExportResource, own: object): Fields {
  const fields: Fields = {}
  for (const column of amountColumns) {
    const amount = resource[column]
    const { field, scale, of } = columnFields[column]
    if (amount !== null && (of === undefined || of === resource.modality))
      fields[field] = inSourceUnit(amount, scale)
  }
  for (const rate of pickRates(resource)) addRate(fields, rate, own)
  return fields
}

function addRate(fields: Fields, rate: Rate, own: object): void {
  // Beside other prices a 0 is read as a field that is filled up.
  if (rate.amount === '0') return
  const group = buildGroup(rate)
  if (group !== null) {
    const inner = (fields[group.field] ??= {}) as Record<string, number>
    inner[group.name] = Number(rate.amount)
    return
  }
  const [field, value] = findField(rate) ?? []
  if (field === undefined || value === undefined || Object.hasOwn(fields, field)) return
  // Its importer keeps what it does not understand; LiteLLM itself charges nothing by it.
  if (isUnderstood(field) || Object.hasOwn(own, field)) fields[field] = value
}

/** Rates that share a field: searches by the size of their context, and factors of all prices. */
function buildGroup({ meter, unit, variant, threshold, service_tier }: Rate) {
  if (variant === null || threshold !== null || service_tier !== null) return null
  if (meter === 'price_multiplier' && unit === 'multiplier')
    return { field: 'provider_specific_entry', name: variant }
  return meter === 'searches' && unit === 'query' && /^(?:low|medium|high)$/.test(variant)
    ? { field: 'search_context_cost_per_query', name: `search_context_size_${variant}` }
    : null
}

/** What is not read back; null: something is read that was not meant. */
function findLosses(resource: ExportResource, back: SourceRecord | null): Lost[] | null {
  const rates = back && compareCards(pickRates(resource), back.rates)
  const odd = amountColumns.filter((column) => back?.[column] !== resource[column])
  if (rates === null || odd.some((column) => back?.[column] !== null)) return null
  const { announced, modality, input_per_mtok: input, output_per_mtok: output } = resource
  const isHalf = modality === 'llm' && (input === null) !== (output === null)
  return [
    ...(announced ?? []).map(({ starts_on }) => ['announced prices', starts_on] as const),
    ...odd.map((column) => ['amounts of another unit than the kind of model has', column] as const),
    ...(isHalf ? [[halfKnown, input === null ? 'input_tokens' : 'output_tokens'] as const] : []),
    // Why it has no field for a tier or a threshold is all the same.
    ...rates.map(
      (rate) => [whyLost({ ...rate, service_tier: null, threshold: null }), nameRate(rate)] as const,
    ),
  ]
}

const halfKnown = 'unknown prices of tokens beside a known one, which it takes for 0'
