import type { Db } from '../../database/connect.ts'
import { readPriceTable, readPriceVersion, type PriceTable } from '../../catalog/price-table.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import { Versioned } from '../../platform/versioned.ts'
import { perMinute } from '../limits/index.ts'
import { ListBytes } from '../lists/list-bytes.ts'

export interface PriceTableSource {
  readVersion: (db: Db) => Promise<string>
  readTable: (db: Db) => Promise<PriceTable>
  /** @throws Error when the answer is not as the contract says */
  check: (body: unknown) => void
}

const reading = { readVersion: readPriceVersion, readTable: readPriceTable }

/**
 * The answer with all prices: made, checked against the contract and compressed once for each version of the list, for
 * all callers. One copy is kept, some 5 MB for 13,000 records.
 */
export class SharedPriceTable {
  /** Of accounts, for copies. */
  readonly rate = new RateLimiter({ perMinute: perMinute.priceTables })
  readonly #db: Db
  readonly #source: PriceTableSource
  readonly #table: Versioned<ListBytes>

  constructor(db: Db, source: Pick<PriceTableSource, 'check'> & Partial<PriceTableSource>) {
    this.#db = db
    const { readTable, check } = (this.#source = { ...reading, ...source })
    this.#table = new Versioned({
      make: async () => {
        const data = await readTable(db)
        check({ data })
        return new ListBytes(data.version, Buffer.from(JSON.stringify({ data })))
      },
    })
  }

  readVersion(): Promise<string> {
    return this.#source.readVersion(this.#db)
  }

  /** @param version the state that it must show at least */
  read(version: string): Promise<ListBytes> {
    return this.#table.read(version)
  }
}
