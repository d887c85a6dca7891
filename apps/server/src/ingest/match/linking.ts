import { nameKey, plainName, withoutEndings } from '../../catalog/model-key.ts'
import type { Modality } from '../../catalog/price-record.ts'
import { findBrand, lookUp } from './identify.ts'
import { agreedModality } from './modality.ts'
import { resourceKey } from './names.ts'
import { isOperator, findOrigin, rankSource } from './precedence.ts'
import { inventingSources } from './source-ranks.ts'
import type { SourceRecord } from '../source-record.ts'
import { ownModels } from './taxonomy.ts'

/** What one source's claim says of the model of a resource. */
export interface Naming {
  source: string
  resource_id: string
  platform: string | null
  region: string | null
  /** The maker, or `unknown`. */
  vendor: string
  /** Without platform, region and maker, in lower case. */
  model_name: string
  /** The source itself states maker and model; else they are read from the id. */
  is_named: boolean
  /** The product that the source itself names, `vendor/model`: an operator's own rows. */
  product: string | null
  modality: Modality | null
}

/** What a record says of its model. */
export function toNaming(source: string, record: SourceRecord): Naming {
  const { resource_id, platform, region, vendor, model_name, is_named, modality } = record
  // Only the operator names products; what a list calls a product is its own grouping.
  const product = isOperator(source) ? record.product_id : null
  return { source, resource_id, platform, region, vendor, model_name, is_named, product, modality }
}

/** What all claims together say of a resource. */
export interface Identified {
  /** `vendor/model`; null: no product is surely this one. */
  product_id: string | null
  /** The vendor of the product, where there is one. */
  vendor: string
  modality: Modality | null
}

/** The claims of one resource, the one that counts most first. */
interface Resource {
  key: string
  namings: readonly Naming[]
}

/** A resource whose maker is decided. */
interface Model {
  resource: Resource
  vendor: string
  name: string
  /** The product that the operator names for it. */
  product: string | null
}

/**
 * Vendor, product and modality of every resource, by `resourceKey`. A pure function of the set of namings: their order
 * changes nothing.
 *
 * A product is a model that its maker sells itself, or that a source names, or, where no maker sells it, that two
 * independent sources or two platforms name. Other rows are linked where maker and name are the same, apart from
 * spelling and from snapshot endings. Everything else stays unlinked: a wrong link is worse than none.
 */
export function linkAll(namings: readonly Naming[]): Map<string, Identified> {
  const toKey = memo(nameKey)
  const modelKey = memo((name, vendor) => `${vendor ?? ''}/${toKey(name, vendor)}`)
  const resources = groupResources(namings)
  const findVendor = decideVendors(resources, toKey)
  const models = resources.map((resource): Model => {
    const [first] = resource.namings as [Naming]
    const product = resource.namings.find((naming) => naming.product !== null)?.product ?? null
    const slash = product?.indexOf('/') ?? -1
    return product !== null && slash > 0
      ? { resource, vendor: product.slice(0, slash), name: product.slice(slash + 1), product }
      : { resource, vendor: findVendor(resource), name: first.model_name, product: null }
  })
  const findProduct = findProducts(models, modelKey)

  const linked = models.map((model) => ({ ...model, link: findProduct(model) }))
  const groups = Map.groupBy(linked, ({ link, vendor, name }) => link?.key ?? `~${modelKey(name, vendor)}`)
  const found = new Map<string, Identified>()
  for (const group of groups.values()) {
    const names = group.map(({ name }) => name)
    const modality = agreedModality(
      names,
      group.flatMap(({ resource }) => resource.namings),
    )
    for (const { resource, vendor, link } of group)
      found.set(resource.key, { product_id: link?.product ?? null, vendor, modality })
  }
  return found
}

type KeyOf = (name: string, vendor?: string) => string

/** Remembers what it found: most names are of many rows. */
function memo(find: KeyOf): KeyOf {
  const all = new Map<string | undefined, Map<string, string>>()
  return (name, vendor) => {
    let found = all.get(vendor)
    if (found === undefined) all.set(vendor, (found = new Map<string, string>()))
    let text = found.get(name)
    if (text === undefined) found.set(name, (text = find(name, vendor)))
    return text
  }
}

/** The name without the endings that are always a snapshot's. */
const barely = (name: string) => withoutEndings(name, () => false)

function groupResources(namings: readonly Naming[]): Resource[] {
  const sorted = namings
    .map((naming) => ({ key: resourceKey(naming.resource_id), rank: weighNaming(naming), naming }))
    .sort(
      (a, b) =>
        compare(a.key, b.key) ||
        compare(a.rank, b.rank) ||
        compare(identityText(a.naming), identityText(b.naming)),
    )
  return [...Map.groupBy(sorted, ({ key }) => key)].map(([key, rows]) => ({
    key,
    namings: rows.map(({ naming }) => naming),
  }))
}

/** A product that is named counts most, then a model that is named, then one whose maker is known: the smaller. */
function weighNaming({ source, product, is_named, vendor }: Naming): number {
  return (
    rankSource(source, null) +
    (product !== null ? 0 : is_named ? 1_000 : vendor !== 'unknown' ? 2_000 : 3_000)
  )
}

function identityText({ source, resource_id, model_name, vendor, modality, product }: Naming): string {
  return JSON.stringify([source, resource_id, model_name, vendor, modality, product])
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Who says that a name is a vendor's, or is spelled so. */
interface Witnesses {
  /** Sources that say it of the vendor's own platform, by the ids of that platform. */
  own: Set<string>
  /** Sources that state it themselves. */
  named: Set<string>
  /** Sources that do not copy each other. */
  origins: Set<string>
  platforms: Set<string>
  /** The place of the best of the sources; the lowest counts most. */
  place: number
}

function addWitness<K>(all: Map<K, Witnesses>, key: K, naming: Naming, vendor: string): void {
  let witnesses = all.get(key)
  if (witnesses === undefined) {
    witnesses = {
      own: new Set(),
      named: new Set(),
      origins: new Set(),
      platforms: new Set(),
      place: Infinity,
    }
    all.set(key, witnesses)
  }
  const { source, platform, is_named } = naming
  if (isOwn(naming, vendor)) witnesses.own.add(source)
  if (is_named) witnesses.named.add(source)
  witnesses.origins.add(findOrigin(source, platform))
  if (platform !== null) witnesses.platforms.add(platform)
  witnesses.place = Math.min(witnesses.place, rankSource(source, null))
}

function isOwn({ source, platform }: Naming, vendor: string): boolean {
  return platform !== null && lookUp(ownModels, platform) === vendor && !inventingSources.includes(source)
}

/**
 * The vendor of each resource. A name with several vendors is of the one who sells it himself, then of the one whom
 * most independent sources name, then of the one whose brand it is. A name that two vendors sell themselves stays
 * both's: `erase` of Stability and of Bria. A row of an unknown maker takes the vendor of its name. An operator knows
 * whose model he sells.
 */
function decideVendors(resources: readonly Resource[], toKey: KeyOf): (resource: Resource) => string {
  const votes = new Map<string, Map<string, Witnesses>>()
  for (const naming of resources.flatMap(({ namings }) => namings)) {
    if (naming.vendor === 'unknown') continue
    const key = toKey(naming.model_name)
    let named = votes.get(key)
    if (named === undefined) votes.set(key, (named = new Map<string, Witnesses>()))
    addWitness(named, naming.vendor, naming, naming.vendor)
  }
  const verdicts = new Map([...votes].map(([key, vendors]) => [key, decideVendor(key, vendors)]))

  return ({ namings: [first] }) => {
    const { source, vendor, model_name } = first!
    if (vendor !== 'unknown' && isOperator(source)) return vendor
    const verdict = verdicts.get(toKey(model_name))
    if (vendor !== 'unknown') return verdict ?? vendor
    // `search` and `auto` are no names of one model.
    const base = withoutEndings(model_name, () => true)
    const found = verdict ?? verdicts.get(toKey(base))
    return found != null && /\d/.test(model_name) ? found : vendor
  }
}

/** The one vendor of a name; null: two sell it themselves. */
function decideVendor(name: string, vendors: ReadonlyMap<string, Witnesses>): string | null {
  const sellers = [...vendors].filter(([, { own }]) => own.size > 0)
  if (sellers.length > 1) return null
  const brand = findBrand(name)
  const [best] = [...vendors].sort(
    ([a, left], [b, right]) =>
      compare(right.own.size, left.own.size) ||
      compare(right.origins.size, left.origins.size) ||
      Number(b === brand) - Number(a === brand) ||
      compare(right.platforms.size, left.platforms.size) ||
      compare(left.place, right.place) ||
      compare(a, b),
  )
  return best?.[0] ?? null
}

interface Link {
  key: string
  product: string
}

function findProducts(models: readonly Model[], modelKey: KeyOf): (model: Model) => Link | null {
  const known = new Set<string>()
  const heard = new Map<string, Witnesses>()
  const toBare = memo(barely)
  for (const { resource, vendor, name, product } of models) {
    if (vendor === 'unknown') continue
    if (product !== null) known.add(modelKey(name, vendor))
    for (const naming of resource.namings) {
      addWitness(heard, modelKey(toBare(naming.model_name), vendor), naming, vendor)
    }
  }
  for (const [key, { own, named, origins, platforms }] of heard) {
    // A router's `claude-latest` is whatever it routes to.
    const isAgreed = (origins.size > 1 || platforms.size > 1) && !key.endsWith('-latest')
    if (own.size > 0 || named.size > 0 || isAgreed) known.add(key)
  }

  const findBase = memo((name, vendor) =>
    withoutEndings(name, (shorter) => known.has(modelKey(shorter, vendor))),
  )
  const spelled = new Map<string, Map<string, Witnesses>>()
  for (const { resource, vendor, name, product } of models) {
    const witness = (base: string, naming: Naming) => {
      const key = modelKey(base, vendor)
      if (!known.has(key)) return
      let names = spelled.get(key)
      if (names === undefined) spelled.set(key, (names = new Map<string, Witnesses>()))
      addWitness(names, plainName(base), naming, vendor)
    }
    if (product !== null) witness(name, resource.namings[0]!)
    else for (const naming of resource.namings) witness(findBase(naming.model_name, vendor), naming)
  }
  const products = new Map([...spelled].map(([key, names]) => [key, bestSpelling(names)]))

  return ({ vendor, name, product }) => {
    const key = modelKey(product === null ? findBase(name, vendor) : name, vendor)
    const spelling = known.has(key) ? products.get(key) : undefined
    return spelling === undefined ? null : { key, product: `${vendor}/${spelling}` }
  }
}

/** The maker's own spelling, by its own platform and lists; else the one of most platforms: a list repeats itself. */
function bestSpelling(names: ReadonlyMap<string, Witnesses>): string {
  const [best] = [...names].sort(
    ([a, left], [b, right]) =>
      compare(right.own.size, left.own.size) ||
      compare(right.named.size, left.named.size) ||
      compare(right.platforms.size, left.platforms.size) ||
      compare(right.origins.size, left.origins.size) ||
      compare(left.place, right.place) ||
      compare(a, b),
  )
  return best![0]
}
