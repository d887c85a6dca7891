import type { Db } from '../../database/connect.ts'
import { buildCatalogue, type Catalogue } from '../../features/prices/catalogue.ts'
import { readCatalogueRows, readListVersions } from '../../features/prices/catalogue-store.ts'
import { readOnceIn, Versioned } from '../../platform/versioned.ts'
import { listVersionMs, restFactor } from '../limits/index.ts'

/** What all pages are made of: the catalogue is read once for each version of the prices. */
export class PageSource {
  readonly db: Db
  readonly #catalogue: Versioned<Catalogue>
  readonly readVersions: () => ReturnType<typeof readListVersions>

  constructor(db: Db) {
    this.db = db
    this.readVersions = readOnceIn(listVersionMs, () => readListVersions(db))
    this.#catalogue = new Versioned({
      restFactor,
      // Moves after this are in the rows as well, or in the next version.
      make: async () => buildCatalogue((await readListVersions(db)).prices, await readCatalogueRows(db)),
    })
  }

  /** @param version that it must show, unless it was read a moment ago */
  readCatalogue(version: string): Promise<Catalogue> {
    return this.#catalogue.read(version)
  }
}
