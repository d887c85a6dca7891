import type { LRUCache } from 'lru-cache'
import type { UnitVerdict } from '../../features/metering/meter.ts'
import type { ListBytes } from './list-bytes.ts'
import type { ListQuery } from './list-query.ts'

// A list is kept with the version it was read in, and sent only to a request whose reservation found the list still in
// that version. So every request sees what was imported before it, without a time to live, and no unit is taken for an
// outdated list. A list is kept once a unit was taken for it: a refused request evicts no kept list.

/** Reads lists as they are sent. */
export interface ListSource {
  read: (query: ListQuery) => Promise<ListBytes>
  /** Reads from a replica that may be behind; resolves to null when that cannot be done. Null: there is no replica. */
  readReplica: ((query: ListQuery) => Promise<ListBytes | null>) | null
}

export interface Reservation {
  /**
   * Takes the request's unit if the list is in this version (null: in any), or resolves to null when it is in another.
   * @throws Error when there is no unit for the request
   */
  reserve: (version: string | null) => Promise<UnitVerdict | null>
  /**
   * Set when the day's quota of the key is known to be used up: most likely there is no unit then, and it is asked for
   * before the list is read. Gives that unit back when the list cannot be read.
   */
  giveBack?: ((unit: UnitVerdict) => void) | null | undefined
}

/** What a list's key and its entry take beside its bytes, roughly. */
const overheadBytes = 500

interface Reading {
  begun: number
  list: Promise<ListBytes>
}

export class ListCache {
  readonly #lists: LRUCache<string, ListBytes>
  readonly #source: ListSource
  /** What is read, and what was read and has no unit yet. */
  readonly #reading = new Map<string, Reading>()
  readonly #copying = new Map<string, Promise<ListBytes | null>>()
  /** Counts requests and readings in the order in which they begin. */
  #begun = 0
  /** When the reading of a list began. Not of those from a replica: however late they are read, they are as good as their version. */
  readonly #begins = new WeakMap<ListBytes, number>()

  constructor(lists: LRUCache<string, ListBytes>, source: ListSource) {
    this.#lists = lists
    this.#source = source
  }

  /** What is kept, as it was; for a request that then reserves its unit for this version. */
  find(key: string): ListBytes | undefined {
    return this.#lists.get(key)
  }

  /** Accounts for codings that were added to the list. */
  resize(key: string, list: ListBytes): void {
    if (this.#lists.peek(key) === list) this.#set(key, list)
  }

  forget(key: string, list: ListBytes): void {
    if (this.#lists.peek(key) === list) this.#lists.delete(key)
  }

  /** The list, for one unit. Reads before it reserves: a reading that fails costs nothing. */
  async get(query: ListQuery, { reserve, giveBack }: Reservation): Promise<ListBytes> {
    const { key } = query
    const arrived = (this.#begun += 1)
    // Read before this request came, or begun to be: as good as its version.
    const early = this.find(key) ?? (await this.#reading.get(key)?.list)
    if (early) {
      if (await this.#reserveVersion(key, early, reserve)) return early
      this.forget(key, early)
    }
    if (giveBack) {
      const unit = await reserve(null)
      return this.#readFresh(query, arrived).catch((error: unknown) => {
        if (unit) giveBack(unit)
        throw error
      })
    }
    const { readReplica } = this.#source
    const copy = readReplica ? await this.#readCopy(query, readReplica) : null
    if (copy && copy.version !== early?.version && (await this.#reserveVersion(key, copy, reserve)))
      return copy
    // A list that is read after the request came shows what the request may see, whatever happens meanwhile.
    const kept = this.find(key)
    if (!kept || !this.#beganAfter(kept, arrived)) return this.#readFresh(query, arrived, reserve)
    await reserve(null)
    return kept
  }

  /** Whether the unit was taken: not when the list has moved on. */
  async #reserveVersion(key: string, list: ListBytes, reserve: Reservation['reserve']): Promise<boolean> {
    if (!(await reserve(list.version))) return false
    this.#keep(key, list)
    return true
  }

  /**
   * Requests that want the list meanwhile wait for the same reading, if it began after they came.
   * @param reserve takes the unit once the list is there; absent: it was taken before
   */
  async #readFresh(query: ListQuery, arrived: number, reserve?: Reservation['reserve']): Promise<ListBytes> {
    const { key } = query
    const other = this.#reading.get(key)
    const reading = other && other.begun > arrived ? other : this.#beginReading(query)
    try {
      const list = await reading.list
      await reserve?.(null)
      this.#keep(key, list)
      return list
    } finally {
      if (this.#reading.get(key) === reading) this.#reading.delete(key)
    }
  }

  #beginReading(query: ListQuery): Reading {
    const begun = (this.#begun += 1)
    const list = this.#source.read(query).then((made) => {
      this.#begins.set(made, begun)
      return made
    })
    const reading = { begun, list }
    this.#reading.set(query.key, reading)
    return reading
  }

  async #readCopy(
    query: ListQuery,
    readReplica: NonNullable<ListSource['readReplica']>,
  ): Promise<ListBytes | null> {
    const { key } = query
    // The database is being read already.
    if (this.#reading.has(key)) return null
    const copying = this.#copying.get(key)
    if (copying) return copying
    const reading = readReplica(query).finally(() => this.#copying.delete(key))
    this.#copying.set(key, reading)
    return reading
  }

  #beganAfter(list: ListBytes, begun: number): boolean {
    return (this.#begins.get(list) ?? 0) > begun
  }

  /** Keeps a list that a unit was taken for, unless there is one whose reading began later. */
  #keep(key: string, list: ListBytes): void {
    const kept = this.#lists.peek(key)
    if (kept === list || (kept && !this.#beganAfter(list, this.#begins.get(kept) ?? 0))) return
    this.#set(key, list)
  }

  #set(key: string, list: ListBytes): void {
    this.#lists.set(key, list, { size: list.size + 2 * key.length + overheadBytes })
  }
}
