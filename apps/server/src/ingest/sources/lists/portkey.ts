import { z } from 'zod'
import { amountReader } from '../../../catalog/decimal.ts'
import type { RejectedRow } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import { UserError } from '../../../platform/user-error.ts'
import { identify, findSeller } from '../../match/identify.ts'
import { findModality } from '../../match/modality.ts'
import type { Amounts, SourceReading } from '../../source-record.ts'
import { readCard, firstStated, Model, textInColumns } from './portkey-card.ts'
import { toDay } from '../../days.ts'
import { newestDay } from '../reading/data-day.ts'
import { portkeyFields } from './known-fields.ts'
import { isPositive, noTokens, splitCard, chooseUnit } from '../reading/rate-reader.ts'
import { complaints, Entries, toReading, type Candidate, type ReadRow } from '../reading/reading.ts'
import { readTar } from '../reading/tar.ts'
import { findUnknownFields } from '../reading/unknown-fields.ts'
import { parseForeignJson } from '../reading/parse-json.ts'

/** Price lists by provider, each an object keyed by model. */
type PortkeyFile = Record<string, Record<string, unknown>>

/**
 * Portkey's pricing/*.json, in US cents, joined to one object by provider.
 * https://github.com/Portkey-AI/models (MIT)
 */
export function readPortkey(file: unknown): SourceReading {
  const providers = Entries.safeParse(file)
  if (!providers.success) throw refusal(complaints(providers.error))
  const lists = Object.entries(providers.data).map(([provider, value]) => ({
    ...{ provider, models: Entries.safeParse(value) },
  }))
  const reading = toReading(
    lists.flatMap(({ provider, models: { data, error } }): ReadRow[] =>
      error
        ? [{ id: provider, reason: `is no list of models: ${complaints(error)}` }]
        : listRows(provider, data),
    ),
  )
  if (reading.records.length === 0) throw refusal('none of its entries is a model with `pricing_config`')
  const rows = lists.flatMap(({ provider, models }) =>
    Object.entries(models.data ?? {}).map(([key, row]) => [`${provider}/${key}`, row] as const),
  )
  return { ...reading, unknown_fields: findUnknownFields(rows, portkeyFields) }
}

/** The part of Portkey's repository to read: Portkey publishes one file per provider, and no file of all. */
export function readPortkeyFile(input: { json?: unknown; bytes?: Uint8Array; name?: string }): unknown {
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

const OneModel = z.looseObject({ pricing_config: z.unknown() })
const OneProvider = Entries.refine((models) => Object.values(models).every(isModel))

function isModel(value: unknown): boolean {
  return OneModel.safeParse(value).success
}

/** The newest day of the price lists in the archive; null: it states none. */
export function findPortkeyDay(bytes: Uint8Array, now: Date): string | null {
  const lists = readTar(bytes).filter(({ path }) => priceList.test(path))
  return newestDay(
    lists.map(({ changedAt }) => (changedAt > 0 ? toDay(new Date(changedAt * 1_000)) : null)),
    now,
  )
}

const priceList = /(?:^|\/)pricing\/([^/]+)\.json$/

function fromArchive(bytes: Uint8Array): PortkeyFile {
  const providers: PortkeyFile = {}
  for (const { path, text } of readTar(bytes)) {
    const provider = priceList.exec(path)?.[1]
    if (provider === undefined) continue
    try {
      providers[provider] = parseForeignJson(text) as Record<string, unknown>
    } catch (cause) {
      if (cause instanceof UserError) throw cause
      throw new UserError(`The Portkey archive is refused: ${path} is not JSON.`, { cause })
    }
  }
  if (Object.keys(providers).length === 0) throw refusal('the archive has no pricing/*.json')
  return providers
}

function refusal(complaint: string): UserError {
  return new UserError(`This is not a Portkey price file: ${complaint}.`)
}

/** A model of the list with the rows that state its price of longer requests. */
interface ModelRows {
  base?: { key: string; source: unknown }
  upTo: TierRow[]
  above: TierRow[]
}
interface TierRow {
  key: string
  threshold: number | null
  source: unknown
}

function listRows(provider: string, models: Record<string, unknown>): ReadRow[] {
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
    rejected.push(...misplaced(provider, key, source))
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

/** A model in the entry of another one: Azure's gpt-image-1 in its dall-e-2. */
function misplaced(provider: string, key: string, source: unknown): RejectedRow[] {
  if (typeof source !== 'object' || source === null) return []
  return Object.entries(source as Record<string, unknown>).flatMap(([inner, value]) =>
    isModel(value)
      ? [{ id: `${provider}/${key}/${inner}`, reason: 'stands inside the entry of another model' }]
      : [],
  )
}

/** The row of a model, which contains its tiers, and its tiers as rows that are not served by themselves. */
function modelRows(provider: string, name: string, { base, upTo, above }: ModelRows): ReadRow[] {
  const buildId = ({ key }: { key: string }) => `${provider}/${key}`
  const [head, ...others] = [...(base ? [base] : []), ...upTo.toSorted(byThreshold)]
  const refused = (row: { key: string }, reason: string) => ({ id: buildId(row), reason })
  if (!head) {
    return above.map((row) => refused(row, `is a tier of ${provider}/${name}, which the file does not list`))
  }
  const served = readModel(provider, name, head, [...others.map(asBase), ...above])
  if ('reason' in served) {
    const why = `is a tier of ${buildId(head)}, which ${served.reason}`
    return [served, ...[...others, ...above].map((row) => refused(row, why))]
  }
  return [
    served,
    ...others.map((row) => refused(row, `is about the same requests as ${buildId(head)}, which is served`)),
    ...above.map((row) => refused(row, `is a tier of ${buildId(head)}, kept in its rate card`)),
  ]
}

/** The prices of a row for requests up to a number of tokens apply from the first token. */
function asBase({ key, source }: { key: string; source: unknown }): TierRow {
  return { key, source, threshold: null }
}

function byThreshold(a: TierRow, b: TierRow): number {
  return Number(a.threshold) - Number(b.threshold)
}

function readModel(
  provider: string,
  name: string,
  head: { key: string; source: unknown },
  tiers: readonly TierRow[],
): ReadRow {
  const id = `${provider}/${head.key}`
  const model = Model.safeParse(head.source)
  if (!model.success) return { id, reason: `cannot be read: ${complaints(model.error)}` }

  const { read, problems } = amountReader()
  const card = readCard(name, model.data, {}, read)
  for (const { key, source, threshold } of tiers) {
    const tier = Model.safeParse(source)
    if (!tier.success)
      return { id, reason: `has a tier, ${key}, that cannot be read: ${complaints(tier.error)}` }
    card.push(...readCard(name, tier.data, { threshold }, read))
  }
  if (problems.length > 0) return { id, reason: `has no usable price: ${problems.join('; ')}` }

  const { amounts: stated, rates } = splitCard(textInColumns([...firstStated(card).values()]))
  const amounts = withoutFillers(name, stated, lowestVideo(rates))
  return {
    id,
    identity: identify(findSeller(provider), name),
    price: {
      modality: guessModality(name, amounts, rates),
      unit: chooseUnit(amounts, rates),
      ...amounts,
      currency: model.data.pricing_config?.currency ?? 'USD',
      source_url: null, // stated in the history of the repository, not in its files
      effective_at: null,
    },
    rates,
    // `azure-openai` before `azure-ai`, and `bedrock` before `bedrock-mantle`.
    rank: ['azure-ai', 'bedrock-mantle'].includes(provider) ? 1 : 0,
  }
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

/** Portkey writes 0 for an unknown price. Only a model whose name says free is free. */
function withoutFillers(name: string, stated: Amounts, videoPerSec: string | null): Amounts {
  const amounts = { ...stated, video_per_sec: stated.video_per_sec ?? videoPerSec }
  const isPaid = isPositive(amounts.input_per_mtok) || isPositive(amounts.output_per_mtok)
  return isPaid || name.endsWith(':free') ? amounts : { ...amounts, ...noTokens }
}

/** The lists state what is billed, not what a model is for. */
function guessModality(
  name: string,
  amounts: Amounts,
  rates: readonly Rate[],
): Candidate['price']['modality'] {
  if (isPositive(amounts.image_per_unit)) return 'image'
  if (isPositive(amounts.video_per_sec)) return 'video'
  if (isPositive(amounts.audio_per_min)) return 'audio'
  const isPriced = amounts.input_per_mtok !== null || amounts.output_per_mtok !== null || rates.length > 0
  return findModality(name) ?? (isPriced ? 'llm' : null)
}
