import type { Db } from '../../database/connect.ts'
import { buildCatalogue, type Catalogue } from '../../features/prices/catalogue.ts'
import { readCatalogueRows, readListVersions } from '../../features/prices/catalogue-store.ts'

/** How long the database is not asked again whether a list has moved. */
const versionMs = 1_000

/** The catalogue is not read again for ten times as long as it took: an import of many small steps moves the list often. */
const catalogueRestFactor = 10

/** The versions of the lists. */
export interface ListVersions {
  prices: string
  changes: string
}

/** What all pages are made of: the catalogue is read once for each version of the prices. */
export class PageSource {
  readonly db: Db
  #catalogue: Catalogue | null = null
  #reading: Promise<Catalogue> | null = null
  #restsUntilMs = 0
  #versions: { readAtMs: number; versions: Promise<ListVersions> } | null = null

  constructor(db: Db) {
    this.db = db
  }

  /** @param version that it must show, unless it was read a moment ago */
  async readCatalogue(version: string): Promise<Catalogue> {
    if (this.#catalogue && BigInt(this.#catalogue.version) >= BigInt(version)) return this.#catalogue
    if (this.#catalogue && performance.now() < this.#restsUntilMs) return this.#catalogue
    this.#reading ??= this.#read().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #read(): Promise<Catalogue> {
    const begunAtMs = performance.now()
    // Moves after this are in the rows as well, or in the next version.
    const { prices } = await readListVersions(this.db)
    this.#catalogue = await buildCatalogue(prices, await readCatalogueRows(this.db))
    const endedAtMs = performance.now()
    this.#restsUntilMs = endedAtMs + catalogueRestFactor * (endedAtMs - begunAtMs)
    return this.#catalogue
  }

  readVersions(): Promise<ListVersions> {
    const now = performance.now()
    if (this.#versions && now - this.#versions.readAtMs < versionMs) return this.#versions.versions
    const versions = readListVersions(this.db)
    this.#versions = { readAtMs: now, versions }
    versions.catch(() => (this.#versions = null))
    return versions
  }
}
