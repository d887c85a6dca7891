import type { Db } from '../../database/connect.ts'
import { buildCatalogue, type Catalogue } from '../../catalog/catalogue.ts'
import { listGivenDays } from '../../features/changes/given-days.ts'
import { listSourceStatus } from '../../ingest/publish/source-status.ts'
import { readCatalogueRows, readListVersions, readModelFacts } from '../../catalog/catalogue-store.ts'
import { readOnceIn, Versioned } from '../../platform/versioned.ts'
import { listVersionMs, restFactor } from '../limits/index.ts'
import { summarizeAges, type DataAges } from './ages.ts'

/** Days pass slowly, and a source that is read moves the prices. */
const agesMs = 60_000

/** What all pages are made of: the catalogue is read once for each version of the prices. */
export class PageSource {
  readonly db: Db
  readonly #catalogue: Versioned<Catalogue>
  readonly readVersions: () => ReturnType<typeof readListVersions>
  /** How old the data of the sources are. */
  readonly readAges: (version: string) => Promise<DataAges>

  constructor(db: Db) {
    this.db = db
    this.readAges = readOnceIn(agesMs, async (_version) => summarizeAges(await listSourceStatus(db)))
    this.readVersions = readOnceIn(listVersionMs, () => readListVersions(db))
    this.#catalogue = new Versioned({
      restFactor,
      // Moves after this are in the rows as well, or in the next version.
      make: async () =>
        buildCatalogue(
          (await readListVersions(db)).prices,
          await readCatalogueRows(db, await listGivenDays(db)),
          { facts: await readModelFacts(db) },
        ),
    })
  }

  /** Reads what the first pages are made of: who asks for one right after a start need not wait for it. */
  async warmUp(): Promise<void> {
    const { prices } = await this.readVersions()
    await Promise.all([this.readCatalogue(prices), this.readAges(prices)])
  }

  /** @param version that it must show, unless it was read a moment ago */
  readCatalogue(version: string): Promise<Catalogue> {
    return this.#catalogue.read(version)
  }
}
