import type { Db } from '../../database/connect.ts'
import { readPriceTable, readPriceVersion, type PriceTable } from '../../features/prices/price-table.ts'
import { Rate } from '../../platform/rate.ts'
import { ListBytes } from '../lists/list-bytes.ts'

/**
 * A client that has the table asks whether it has moved; whole copies in a minute are for many tabs, not for a program.
 */
const copiesPerMinute = 20

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
  readonly rate = new Rate({ perMinute: copiesPerMinute })
  readonly #source: PriceTableSource
  #kept: ListBytes | null = null
  #making: Promise<ListBytes> | null = null

  constructor(source: Pick<PriceTableSource, 'check'> & Partial<PriceTableSource>) {
    this.#source = { ...reading, ...source }
  }

  readVersion(db: Db): Promise<string> {
    return this.#source.readVersion(db)
  }

  /** @param version the state that it must show at least */
  async read(db: Db, version: string): Promise<ListBytes> {
    if (this.#kept && isAtLeast(this.#kept, version)) return this.#kept
    const shared = this.#making && (await this.#making)
    if (shared && isAtLeast(shared, version)) return shared
    // Begun before the list moved: one of the requests that waited for it makes the next.
    this.#making ??= this.#make(db).finally(() => (this.#making = null))
    return this.#making
  }

  async #make(db: Db): Promise<ListBytes> {
    const data = await this.#source.readTable(db)
    this.#source.check({ data })
    this.#kept = new ListBytes(data.version, Buffer.from(JSON.stringify({ data })))
    return this.#kept
  }
}

/** Versions count up. */
function isAtLeast(table: ListBytes, version: string): boolean {
  return BigInt(table.version) >= BigInt(version)
}
