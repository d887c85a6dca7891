import { CatalogError } from './errors.ts'
import type { CatalogOrigin, CatalogRecord, CatalogStamp, Snapshot } from './types.ts'

// The registry of symbols is shared by all copies of this package in a process: ESM beside CommonJS, bundled twice, and
// the one that comes with `client.catalog()` of @ratecard/sdk. So this is a form that versions share: another form of
// `Book` takes another key.
const key = Symbol.for('@ratecard/cost catalog')

/** What a catalog has inside. Its type does not say so: catalogs of two copies of this package are one type. */
interface Inside {
  [key]?: { book: Book }
}

/** What a catalog is made with. */
export interface CatalogOptions {
  /** Where it comes from; stands in every figure. Default: `data`. */
  readonly origin?: CatalogOrigin
}

/** The prices of one moment, with what has been found out about them. Made anew whenever the catalog's content moves. */
export interface Book {
  readonly snapshot: Snapshot
  readonly origin: CatalogOrigin
  /** Since 1970: the moment that the prices show. */
  readonly momentMs: number
  readonly byId: ReadonlyMap<string, CatalogRecord>
}

/**
 * Prices to look up: a snapshot of Ratecard in memory. Reading it is synchronous; its content moves only between two
 * calls, as a whole, where it is refreshed.
 */
export class Catalog {
  /**
   * @param snapshot the document of `ratecard prices export --format json` or `/snapshot.json`, parsed or as text
   * @throws CatalogError where it is none
   */
  constructor(snapshot: Snapshot | string, { origin = 'data' }: CatalogOptions = {}) {
    Object.defineProperty(this, key, { value: { book: openBook(snapshot, origin) } })
  }

  /** The version of the list of prices; two snapshots of one service with the same one have the same prices. */
  get version(): string {
    return findBook(this).snapshot.catalog_version
  }

  /** How many records there are. */
  get size(): number {
    return findBook(this).snapshot.resources.length
  }

  /** The record of this `resource_id`; undefined: there is none. */
  get(resourceId: string): CatalogRecord | undefined {
    return findBook(this).byId.get(resourceId)
  }

  /** All records, in the order of the snapshot. */
  records(): readonly CatalogRecord[] {
    return findBook(this).snapshot.resources
  }

  /** Which state this is, and how old its prices are at that moment. */
  stamp(nowMs: number = Date.now()): CatalogStamp {
    const { snapshot, origin, momentMs } = findBook(this)
    return {
      version: snapshot.catalog_version,
      generatedAt: snapshot.generated_at,
      asOf: snapshot.as_of,
      origin,
      ageMs: Math.max(0, nowMs - momentMs),
    }
  }

  /**
   * Puts a newer snapshot in place of this one, as a whole or not at all.
   * @throws CatalogError where it is none; what was there stays
   */
  replace(snapshot: Snapshot | string): void {
    const inside = openCatalog(this)
    inside.book = openBook(snapshot, inside.book.origin)
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return (Object(value) as Inside)[key] !== undefined
  }
}

/** The inside of a catalog, for the other modules of this package. */
export function findBook(catalog: Catalog): Book {
  return openCatalog(catalog).book
}

function openCatalog(catalog: Catalog): { book: Book } {
  const inside = (catalog as Inside | undefined)?.[key]
  if (inside === undefined) throw new TypeError('Give a "catalog".')
  return inside
}

/** Puts the prices of one catalog into another, with where they come from. */
export function adopt(catalog: Catalog, next: Catalog): void {
  openCatalog(catalog).book = findBook(next)
}

function openBook(given: Snapshot | string, origin: CatalogOrigin): Book {
  const snapshot = Object(typeof given === 'string' ? parsed(given) : given) as Snapshot
  const { format, format_version, resources, resource_count, generated_at, as_of } = snapshot
  const byId = new Map<string, CatalogRecord>()
  if (format !== 'ratecard-snapshot' || !Array.isArray(resources))
    throw new CatalogError('This is no snapshot of Ratecard.')
  if (format_version !== 1)
    throw new CatalogError(
      `The form of the snapshot is ${String(format_version)}, and not 1: update @ratecard/cost.`,
    )
  for (const record of resources as Snapshot['resources'])
    if (typeof record?.resource_id === 'string') byId.set(record.resource_id, record)
  const momentMs = Date.parse(as_of ?? generated_at)
  if (byId.size !== resource_count || resources.length !== resource_count || Number.isNaN(momentMs))
    throw new CatalogError(
      `The snapshot is damaged: load it again (${byId.size} resource_ids of ${resource_count}, ${generated_at}).`,
    )
  return { snapshot, origin, momentMs, byId }
}

/** @throws CatalogError where the text is no JSON */
export function parsed(text: string): Snapshot {
  try {
    return JSON.parse(text) as Snapshot
  } catch (cause) {
    throw new CatalogError('The snapshot is no whole JSON.', { cause })
  }
}
