import { brands, wrappings } from '../../catalog/model-names.ts'
import { plainId } from './plain-id.ts'
import {
  groupedSellers,
  makers,
  regionPrefixes,
  regionSegments,
  sellers,
  soleMakers,
  type Seller,
} from './taxonomy.ts'

export function findSeller(stated: string): Seller {
  const name = plainId(stated)
  const known = lookUp(sellers, name)
  if (known) return known
  const group = groupedSellers.find((seller) => name.startsWith(`${seller}-`))
  return group === undefined ? { platform: name } : findSeller(group)
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
export function identify(seller: Seller, statedId: string, canonical?: string | null): Identity {
  const { platform } = seller
  const idWithRegion = plainId(statedId)
  const segment = lookUp(regionSegments, platform)?.exec(idWithRegion)
  const id = segment ? idWithRegion.slice(segment[0].length) : idWithRegion
  const prefix = lookUp(regionPrefixes, platform)?.exec(id)
  const region = segment?.[1] ?? prefix?.[1] ?? seller.region ?? null

  const own = makerAndName(id.slice(prefix?.[0].length ?? 0))
  const named = canonical == null ? undefined : makerAndName(plainId(canonical))
  const isNamed = named?.maker !== undefined
  const { maker, name } = isNamed ? named : own

  return {
    resource_id: region === null ? `${platform}:${id}` : `${platform}:${region}:${id}`,
    platform,
    region,
    vendor: maker ?? findBrand(name) ?? seller.vendor ?? lookUp(soleMakers, platform) ?? 'unknown',
    name,
    isNamed,
  }
}

/** The vendor who alone gives such names. */
export function findBrand(name: string): string | undefined {
  return brands.find(({ pattern }) => pattern.test(name))?.vendor
}

function makerAndName(id: string): { maker: string | undefined; name: string } {
  const bare = unwrap(id.toLowerCase())
  const [, first, rest] = /^([^/.]+)[/.](.+)$/.exec(bare) ?? []
  const maker = first === undefined ? undefined : lookUp(makers, first)
  return { maker, name: maker === undefined || rest === undefined ? bare : unwrap(rest) }
}

function unwrap(name: string): string {
  for (const pattern of wrappings) {
    const inner = name.replace(pattern, '')
    if (inner !== name && inner !== '') return unwrap(inner)
  }
  return name
}

/** Keys come from the sources: `constructor` must not find what every object inherits. */
export function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
