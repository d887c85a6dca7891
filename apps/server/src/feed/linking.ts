import {
  brands,
  groupedSellers,
  makers,
  ownModels,
  regionPrefixes,
  regionSegments,
  sellers,
  snapshotEndings,
  soleMakers,
  wrappings,
  type Seller,
} from './taxonomy.ts'

export function sellerOf(name: string): Seller {
  const known = lookUp(sellers, name)
  if (known) return known
  const group = groupedSellers.find((seller) => name.startsWith(`${seller}-`))
  return group === undefined ? { platform: name } : sellerOf(group)
}

/** A resource as its platform spells it, with what the spelling says about region and maker. */
export interface Identity {
  resource_id: string
  platform: string
  region: string | null
  vendor: string
  /** The model's name without platform, region and maker, in lower case. */
  name: string
  /** Whether the source itself names the model: vendor and name are then stated, not read from the id. */
  isNamed: boolean
}

/** `canonical` is the model that the source names, `maker/model`. */
export function identify(seller: Seller, idWithRegion: string, canonical?: string | null): Identity {
  const { platform } = seller
  const segment = lookUp(regionSegments, platform)?.exec(idWithRegion)
  const id = segment ? idWithRegion.slice(segment[0].length) : idWithRegion
  const prefix = lookUp(regionPrefixes, platform)?.exec(id)
  const region = segment?.[1] ?? prefix?.[1] ?? seller.region ?? null

  const own = makerAndName(id.slice(prefix?.[0].length ?? 0))
  const named = canonical == null ? undefined : makerAndName(canonical)
  const isNamed = named?.maker !== undefined
  const { maker, name } = isNamed ? named : own
  const brand = brands.find(({ pattern }) => pattern.test(name))

  return {
    resource_id: region === null ? `${platform}:${id}` : `${platform}:${region}:${id}`,
    platform,
    region,
    vendor: maker ?? brand?.vendor ?? seller.vendor ?? lookUp(soleMakers, platform) ?? 'unknown',
    name,
    isNamed,
  }
}

function makerAndName(id: string): { maker: string | undefined; name: string } {
  const bare = unwrap(id.toLowerCase())
  const [, first, rest] = /^([^/.]+)[/.](.+)$/.exec(bare) ?? []
  const maker = first === undefined ? undefined : lookUp(makers, first)
  return { maker, name: maker === undefined || rest === undefined ? bare : unwrap(rest) }
}

/**
 * The product of each identity, in order. Rows that a maker sells itself, and rows whose source names their product,
 * define the products. Another reseller's row is linked where its maker is known and its name is one of them, apart
 * from a snapshot ending and punctuation (`3.5`, `3-5`). Everything else stays unlinked: a wrong link is worse than none.
 *
 * `known` are the products of earlier runs. Without them a base model that leaves the source would unlink its
 * resellers: 43 rows would move, and move back, in litellm's mass removal of 2026-03-11.
 */
export function linkProducts(
  identities: readonly Identity[],
  known: Iterable<string> = [],
): (string | null)[] {
  const own = identities.filter(
    ({ platform, vendor, isNamed }) => isNamed || lookUp(ownModels, platform) === vendor,
  )

  const products = new Map<string, string>()
  for (const product of known) products.set(spelling(product), product)

  const names = new Set(products.keys())
  for (const { vendor, name } of own) names.add(spelling(`${vendor}/${withoutEndings(name, () => false)}`))

  const productOf = (
    { vendor, name }: Identity,
    isKnown: ReadonlySet<string> | ReadonlyMap<string, string>,
  ) => `${vendor}/${withoutEndings(name, (shorter) => isKnown.has(spelling(`${vendor}/${shorter}`)))}`
  for (const identity of own) {
    const product = productOf(identity, names)
    if (!products.has(spelling(product))) products.set(spelling(product), product)
  }
  return identities.map((identity) => products.get(spelling(productOf(identity, products))) ?? null)
}

/** Keys come from the sources: `constructor` must not find what every object inherits. */
function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** Makers and resellers differ in `claude-3.5` and `claude-3-5`; no two products differ in that alone. */
function spelling(product: string): string {
  return product.replaceAll(/[._]/g, '-')
}

function unwrap(name: string): string {
  for (const pattern of wrappings) {
    const inner = name.replace(pattern, '')
    if (inner !== name && inner !== '') return unwrap(inner)
  }
  return name
}

/** Removes endings while they surely name a snapshot, or while the rest is a known name. */
function withoutEndings(name: string, isKnown: (shorter: string) => boolean): string {
  for (const { pattern, always } of snapshotEndings) {
    const shorter = name.replace(pattern, '')
    if (shorter === name || shorter === '') continue
    if (always || isKnown(withoutEndings(shorter, () => false))) return withoutEndings(shorter, isKnown)
  }
  return name
}

// Stand-in until the linking of all claims arrives.
export interface Naming {
  source: string
  resource_id: string
  platform: string | null
  region: string | null
  vendor: string
  model_name: string
  is_named: boolean
  product: string | null
  modality: import('../features/prices/price-record.ts').Modality | null
}
export interface Identified {
  product_id: string | null
  vendor: string
  modality: import('../features/prices/price-record.ts').Modality | null
}
export function resourceKey(resourceId: string): string {
  return resourceId.toLowerCase().replaceAll(/[._]/g, '-')
}
export function linkAll(namings: readonly Naming[]): Map<string, Identified> {
  const products = linkProducts(
    namings.map(({ resource_id, platform, region, vendor, model_name, is_named }) => ({
      resource_id,
      platform: platform ?? '',
      region,
      vendor,
      name: model_name,
      isNamed: is_named,
    })),
  )
  const found = new Map<string, Identified>()
  for (const [index, naming] of namings.entries()) {
    const key = resourceKey(naming.resource_id)
    const before = found.get(key)
    const product_id = naming.product ?? products[index] ?? null
    if (!before) found.set(key, { product_id, vendor: naming.vendor, modality: naming.modality })
    else {
      before.product_id ??= product_id
      if (before.vendor === 'unknown') before.vendor = naming.vendor
      before.modality ??= naming.modality
    }
  }
  return found
}
