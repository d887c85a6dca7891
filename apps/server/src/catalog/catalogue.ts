import { mapInTurns } from '../platform/in-turns.ts'
import { companyName, modelName, recordName } from '@ratecard/contract/model-name'
import { toSearchText } from '@ratecard/contract/model-search'
import { hasRetired } from '@ratecard/contract/wording'
import { dayMs, toDay } from '../platform/day.ts'
import { combineFacts, type KnownFacts, type StatedFacts } from './model-facts.ts'
import { groupFamilies, type NamedModel } from './model-family.ts'
import type { PriceRecord } from './price-record.ts'

/** A served price with what stands behind it. */
export interface CatalogueRow extends PriceRecord {
  updated_at: string
  /** Two independent origins state the same input and output; null: neither is served. */
  is_confirmed: boolean | null
  /** Since when no source has it any more. */
  gone_since: string | null
  /** `YYYY-MM-DD` */
  retires_on: string | null
  /** How many rates fit no column. */
  rates: number
  /** The first day of the next price, if one is announced, `YYYY-MM-DD`. */
  starts_on: string | null
  /** Since when the amounts are so, UTC. */
  since: string
  /**
   * How that is known: a source or a published change states the day; it was seen to move then, to the day on which a
   * source had it; or it has not moved since it was first seen.
   */
  since_by: 'stated' | 'moved' | 'first_seen'
}

/** A product over all platforms with its variants, or a record that no product is known of. */
export interface Model {
  /** Of the product, or of the resource. */
  id: string
  isProduct: boolean
  name: string
  /** Ids of the products, and of the records without one, that are folded into it: precisions, speeds, hosts' names. */
  variants: readonly string[]
  vendor: string
  modality: string | null
  /** The maker's own record first, then those that two sources state, by platform and id. */
  rows: readonly CatalogueRow[]
  /** The record that stands for the model: the maker's own where it has a price, else the median of the others. */
  headline: CatalogueRow
  /** Whether the headline is of the maker itself. */
  isOwn: boolean
  /** Where the maker does not sell it: the prices whose median the headline is, the cheapest first. */
  others: readonly CatalogueRow[]
  platforms: readonly string[]
  /** What sources state of it beside prices. */
  facts: KnownFacts
  /** The latest move of any of its records. */
  updated_at: string
  /** What the search reads: name, maker, and platforms with ids. */
  search: { name: string; all: string }
}

/** All served prices by model. */
export interface Catalogue {
  /** The version of the list of prices. */
  version: string
  rowCount: number
  /** Those that are asked for most first; what has retired last. */
  models: readonly Model[]
  /** By the ids of products, those of variants as well. */
  products: ReadonlyMap<string, Model>
  /** By resource id. */
  records: ReadonlyMap<string, Model>
  vendors: ReadonlyMap<string, readonly Model[]>
  /** By platform: its records with their models. */
  platforms: ReadonlyMap<string, readonly { row: CatalogueRow; model: Model }[]>
  modalities: readonly string[]
}

/** Models that are made at once: some 5 ms of work, then others have their turn. All of six lists take 0.1 s. */
const modelsAtOnce = 100

/**
 * @param options.facts what the sources state beside prices
 * @param options.today what has retired by then comes last, `YYYY-MM-DD`
 */
export async function buildCatalogue(
  version: string,
  rows: readonly CatalogueRow[],
  { facts = [], today = toDay(new Date()) }: { facts?: readonly StatedFacts[]; today?: string } = {},
): Promise<Catalogue> {
  const stated = Map.groupBy(facts, ({ resource_id }) => resource_id)
  const members = [
    ...Map.groupBy(rows, ({ product_id, resource_id }) => product_id ?? `\0${resource_id}`).values(),
  ].map(toMember)
  const families = await groupFamilies(members)
  const models = await mapInTurns(families, modelsAtOnce, (family) => toModel(family, stated, today))
  const retiredLast = createRetiredLast(today)
  const byDemand = createByDemand(models)
  models.sort((a, b) => retiredLast(a.headline, b.headline) || byDemand(a, b))
  const ofPlatforms = models.flatMap((model) => model.rows.map((row) => ({ row, model })))
  const modalities = new Set(rows.flatMap(({ modality }) => modality ?? []))
  return {
    version,
    rowCount: rows.length,
    models,
    products: new Map(
      models
        .filter(({ isProduct }) => isProduct)
        .flatMap((model) => [model.id, ...model.variants].map((id) => [id, model] as const)),
    ),
    records: new Map(ofPlatforms.map(({ row, model }) => [row.resource_id, model])),
    vendors: Map.groupBy(models, ({ vendor }) => vendor),
    platforms: Map.groupBy(
      ofPlatforms.toSorted((a, b) => retiredLast(a.row, b.row)),
      ({ row }) => findPlatform(row),
    ),
    modalities: [...modalities].sort(),
  }
}

/** Where one pays. */
export function findPlatform({
  platform,
  resource_id,
}: Pick<PriceRecord, 'platform' | 'resource_id'>): string {
  return platform ?? resource_id.split(':')[0] ?? resource_id
}

/** The rows of a product, or the one that has none. */
interface Member extends NamedModel {
  rows: readonly CatalogueRow[]
}

function toMember(rows: readonly CatalogueRow[]): Member {
  const { product_id, resource_id, vendor } = rows[0]!
  return { id: product_id ?? resource_id, isProduct: product_id !== null, vendor, rows }
}

/** @param family the first gives it its name */
function toModel(
  family: readonly Member[],
  stated: ReadonlyMap<string, readonly StatedFacts[]>,
  today: string,
): Model {
  const [head, ...variants] = family as readonly [Member, ...Member[]]
  const { id, isProduct } = head
  const rows = family.flatMap((member) => member.rows)
  const isVariant = ({ product_id }: CatalogueRow) => Number(isProduct && product_id !== id)
  const retiredLast = createRetiredLast(today)
  const ordered = rows.toSorted(
    (a, b) =>
      retiredLast(a, b) ||
      Number(isPriced(b)) - Number(isPriced(a)) ||
      Number(isOwn(b)) - Number(isOwn(a)) ||
      isVariant(a) - isVariant(b) ||
      byStanding(a, b),
  )
  const first = ordered[0]!
  const byCost = isOwn(first) ? [] : listByCost(ordered, today)
  const headline = byCost[Math.floor(byCost.length / 2)] ?? first
  const name = isProduct ? modelName(id) : recordName(id)
  const platforms = [...new Set(ordered.map(findPlatform))]
  const makers = new Set([headline.vendor, companyName(headline.vendor)])
  return {
    id,
    isProduct,
    name,
    variants: variants.map((variant) => variant.id),
    vendor: headline.vendor,
    modality: headline.modality,
    rows: ordered,
    headline,
    isOwn: isOwn(headline),
    others: byCost,
    platforms,
    facts: combineFacts(
      head.rows.flatMap(({ resource_id }) => stated.get(resource_id) ?? []),
      (id) => id.startsWith(`${headline.vendor}:`),
    ),
    updated_at: rows.reduce((latest, row) => (row.updated_at > latest ? row.updated_at : latest), ''),
    search: {
      name: toSearchText(id.slice(id.lastIndexOf('/') + 1)),
      all: toSearchText(
        [
          ...[id, name, ...makers, ...platforms.map(companyName)],
          ...variants.map((variant) => variant.id),
          ...ordered.map((row) => row.resource_id),
        ].join(' '),
      ),
    },
  }
}

/** What can be bought by the token and is not free, the cheapest first; confirmed prices alone where there are any. */
export function listByCost(rows: readonly CatalogueRow[], today?: string): CatalogueRow[] {
  const bought = rows.filter(
    (row) => (blendedUsd(row) ?? 0) > 0 && row.gone_since === null && !isRetired(row, today),
  )
  const confirmed = bought.filter(({ is_confirmed }) => is_confirmed)
  return (confirmed.length > 0 ? confirmed : bought).sort((a, b) => blendedUsd(a)! - blendedUsd(b)!)
}

/** Whether nobody can buy it any more, by its last day. */
export function isRetired({ retires_on }: Pick<CatalogueRow, 'retires_on'>, today?: string): boolean {
  return retires_on !== null && hasRetired(retires_on, today)
}

function createRetiredLast(today: string) {
  return (a: CatalogueRow, b: CatalogueRow) => Number(isRetired(a, today)) - Number(isRetired(b, today))
}

/** Free by the token. */
export function isFree(row: CatalogueRow): boolean {
  return blendedUsd(row) === 0
}

/** Whether its maker sells it. */
export function isOwn(row: CatalogueRow): boolean {
  return findPlatform(row) === row.vendor
}

/** What is still there, then what two state; then the plain region, the shorter id. */
function byStanding(a: CatalogueRow, b: CatalogueRow): number {
  const rank = (row: CatalogueRow) =>
    (row.gone_since === null ? 0 : 4) + (row.is_confirmed ? 0 : 2) + (row.region === null ? 0 : 1)
  return (
    rank(a) - rank(b) ||
    compareText(findPlatform(a), findPlatform(b)) ||
    a.resource_id.length - b.resource_id.length ||
    compareText(a.resource_id, b.resource_id)
  )
}

/** By code units: the order of a locale takes ten times as long. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether an amount of it is known. */
export function isPriced(row: CatalogueRow): boolean {
  return [
    row.input_per_mtok,
    row.output_per_mtok,
    row.image_per_unit,
    row.audio_per_min,
    row.video_per_sec,
  ].some((amount) => amount !== null)
}

/**
 * The order in which people look for models, as far as what is stored tells. Makers have their turns as seats are given
 * out by votes, by how many of their prices are confirmed; each turn is for the next of their models by demand. So the
 * flagship of each comes before the tenth model of one.
 */
function createByDemand(models: readonly Model[]) {
  const makers = [...Map.groupBy(models, ({ vendor }) => vendor).values()]
  const turns = new Map(
    makers.flatMap((own) => {
      // Where one list is read, no price is confirmed, and all count alike.
      const votes = Math.sqrt(
        own.flatMap(({ rows }) => rows).reduce((sum, row) => sum + (row.is_confirmed ? 1 : 0.01), 0),
      )
      const demand = new Map(own.map((model) => [model, guessDemand(model)]))
      return own
        .toSorted((a, b) => demand.get(b)! - demand.get(a)! || compareText(a.id, b.id))
        .map((model, place) => [model, votes / (place + 1)] as const)
    }),
  )
  return (a: Model, b: Model) =>
    Number(isPriced(b.headline)) - Number(isPriced(a.headline)) ||
    Number(b.isProduct) - Number(a.isProduct) ||
    turns.get(b)! - turns.get(a)!
}

/** What is so much older is asked for half as much. */
const halfLifeMs = 60 * dayMs

/** By the platforms that sell it, its age, and who confirms its price. */
function guessDemand(model: Model): number {
  const { headline, isOwn, platforms } = model
  if (!isPriced(headline) || headline.gone_since !== null) return 0
  const sureness = (headline.is_confirmed ? 4 : 1) * (isOwn ? 2 : 1)
  return sureness * platforms.length * 2 ** (guessRelease(model) / halfLifeMs)
}

/** The number of "GPT-5.6 Luna". A size (120B, 8×22B), a year and a day are none. */
const generation = /(?<![\d.×x])[1-9]\d?(\.\d{1,2})?(?![\d.]*[bkm×x]?\d|[bkm]\b)/i
const undatedMs = Date.parse('2000-01-01')

/** What no source dates is older than all that one does, and as new as its name says, a year for each generation. */
function guessRelease({ facts, name }: Model): number {
  const generations = Number(generation.exec(name)?.[0] ?? 0)
  return Date.parse(String(facts.released_on?.value)) || undatedMs + generations * 365 * dayMs
}

/** What three input tokens to one output token cost, per million; null: it is unknown, or not in US dollars. */
export function blendedUsd({ input_per_mtok, output_per_mtok, currency }: CatalogueRow): number | null {
  if (input_per_mtok === null || output_per_mtok === null || currency !== 'USD') return null
  return (3 * Number(input_per_mtok) + Number(output_per_mtok)) / 4
}

const likePriceFactorMax = 2

/** Models of the same modality that their makers sell for about as much, the nearest first. */
export function alternativesTo(model: Model, catalogue: Catalogue, limit: number): Model[] {
  const price = blendedUsd(model.headline)
  if (price === null || price === 0) return []
  return catalogue.models
    .flatMap((other) => {
      const cost = blendedUsd(other.headline)
      if (other === model || !other.isProduct || !other.isOwn || cost === null || cost === 0) return []
      if (
        other.modality !== model.modality ||
        other.headline.retires_on !== null ||
        other.headline.gone_since !== null
      )
        return []
      const distance = Math.abs(Math.log(cost / price))
      return distance <= Math.log(likePriceFactorMax) ? [{ other, distance }] : []
    })
    .sort((a, b) => b.other.platforms.length - a.other.platforms.length || a.distance - b.distance)
    .slice(0, limit)
    .map(({ other }) => other)
}
