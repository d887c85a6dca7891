import type { Lru } from '../../platform/lru.ts'
import type { UnitVerdict, Verdict } from '../../features/metering/meter.ts'
import type { ListBytes } from './list-bytes.ts'

// A page is kept with the version of its feed, and sent only to a request whose reservation found the feed still in
// that version. So nobody waits for a time-out to see what was imported, and nobody pays for a page that has passed.
// It is kept once somebody has paid for it: what a refused request asks for takes no other page's place.

/** How a request gets its page. */
export interface PageDemand {
  /** Equal for requests that get the same page. */
  key: string
  /** Reads the page from the database. */
  read: () => Promise<ListBytes>
  /** Reads it where it may be behind; resolves to null when that cannot be done. Absent: there is no such place. */
  readReplica?: (() => Promise<ListBytes | null>) | null
  /** Takes the request's unit if the feed is in this version; null: in any. */
  reserve: (version: string | null) => Promise<Verdict>
  /**
   * Set when the day's quota of the key is known to be used up, so that most likely there is no unit: it is asked for
   * first then, and the page is read when there is one after all. Gives that unit back when the page cannot be read.
   */
  giveBack?: ((verdict: UnitVerdict) => void) | null | undefined
}

/** The page that the verdict is about; it is sent if the verdict is a unit. Without one there may be no page. */
export interface ReservedPage {
  page: ListBytes | null
  verdict: Verdict
}

/** What a page's key and its place in the store take beside its bytes, roughly. */
const overheadBytes = 500

interface Reading {
  begun: number
  page: Promise<ListBytes>
}

export class ListCache {
  readonly #pages: Lru<ListBytes>
  /** What is read, and what was read and is not paid for yet. */
  readonly #reading = new Map<string, Reading>()
  readonly #copying = new Map<string, Promise<ListBytes | null>>()
  /** Counts requests and readings in the order in which they begin. */
  #begun = 0
  /** When the reading of a page began. Not of those from a replica: however late they are read, they are as good as their version. */
  readonly #begins = new WeakMap<ListBytes, number>()

  constructor(pages: Lru<ListBytes>) {
    this.#pages = pages
  }

  get(key: string): ListBytes | undefined {
    return this.#pages.get(key)
  }

  /** Accounts for codings that were added to the page. */
  resize(key: string, page: ListBytes): void {
    if (this.#pages.peek(key) === page) this.#set(key, page)
  }

  forget(key: string, page: ListBytes): void {
    if (this.#pages.peek(key) === page) this.#pages.delete(key)
  }

  /** A page and the unit for it, or why there is none. Reads before it reserves: what fails to be read costs nothing. */
  async reserve(demand: PageDemand): Promise<ReservedPage> {
    const { key, reserve } = demand
    const arrived = (this.#begun += 1)
    // Read before this request came, or begun to be: as good as its version.
    const early = this.get(key) ?? (await this.#reading.get(key)?.page)
    if (early) {
      const reserved = await this.#reserveVersion(key, early, reserve)
      if (reserved) return reserved
      this.forget(key, early)
    }
    if (demand.giveBack) return reserveFirst(demand, demand.giveBack, () => this.#readPaid(demand, arrived))

    const copy = demand.readReplica ? await this.#readReplica(key, demand.readReplica) : null
    if (copy && copy.version !== early?.version) {
      const reserved = await this.#reserveVersion(key, copy, reserve)
      if (reserved) return reserved
    }
    return this.#reserveFresh(demand, arrived)
  }

  /** The page with its verdict, or null when its feed has moved on. */
  async #reserveVersion(
    key: string,
    page: ListBytes,
    reserve: PageDemand['reserve'],
  ): Promise<ReservedPage | null> {
    const verdict = await reserve(page.version)
    if (verdict.kind === 'stale') return null
    if (verdict.kind === 'granted') this.#keep(key, page)
    return { page, verdict }
  }

  /** A page that was read after the request came shows what the request may see, whatever happens meanwhile. */
  async #reserveFresh(demand: PageDemand, arrived: number): Promise<ReservedPage> {
    const { key, reserve } = demand
    const kept = this.get(key)
    if (kept && this.#beganAfter(kept, arrived)) return { page: kept, verdict: await reserve(null) }
    const reading = this.#readFresh(demand, arrived)
    try {
      const page = await reading.page
      const verdict = await reserve(null)
      if (verdict.kind === 'granted') this.#keep(key, page)
      return { page, verdict }
    } finally {
      this.#endReading(key, reading)
    }
  }

  /** The same page for a unit that was taken already. */
  async #readPaid(demand: PageDemand, arrived: number): Promise<ListBytes> {
    const reading = this.#readFresh(demand, arrived)
    try {
      const page = await reading.page
      this.#keep(demand.key, page)
      return page
    } finally {
      this.#endReading(demand.key, reading)
    }
  }

  /** Whoever wants the page meanwhile waits for the same reading, if it began after they came. */
  #readFresh({ key, read }: PageDemand, arrived: number): Reading {
    const other = this.#reading.get(key)
    if (other && other.begun > arrived) return other
    const begun = (this.#begun += 1)
    const page = read().then((made) => {
      this.#begins.set(made, begun)
      return made
    })
    const reading = { begun, page }
    this.#reading.set(key, reading)
    return reading
  }

  #endReading(key: string, reading: Reading): void {
    if (this.#reading.get(key) === reading) this.#reading.delete(key)
  }

  async #readReplica(key: string, read: NonNullable<PageDemand['readReplica']>): Promise<ListBytes | null> {
    // The database gives it already.
    if (this.#reading.has(key)) return null
    const copying = this.#copying.get(key)
    if (copying) return copying
    const reading = read().finally(() => this.#copying.delete(key))
    this.#copying.set(key, reading)
    return reading
  }

  #beganAfter(page: ListBytes, begun: number): boolean {
    return (this.#begins.get(page) ?? 0) > begun
  }

  /** Keeps a page that somebody has paid for, unless there is one whose reading began later. */
  #keep(key: string, page: ListBytes): void {
    const kept = this.#pages.peek(key)
    if (kept === page || (kept && !this.#beganAfter(page, this.#begins.get(kept) ?? 0))) return
    this.#set(key, page)
  }

  #set(key: string, page: ListBytes): void {
    this.#pages.set(key, page, page.size + 2 * key.length + overheadBytes)
  }
}

/** The same without keeping anything. */
export async function reserveUnkept(demand: PageDemand): Promise<ReservedPage> {
  const { read, readReplica, reserve, giveBack } = demand
  if (giveBack) return reserveFirst(demand, giveBack, read)
  const copy = await readReplica?.()
  if (copy) {
    const verdict = await reserve(copy.version)
    if (verdict.kind !== 'stale') return { page: copy, verdict }
  }
  return { page: await read(), verdict: await reserve(null) }
}

/** Nothing is read without a unit, and no unit kept without a page. */
async function reserveFirst(
  { reserve }: PageDemand,
  giveBack: NonNullable<PageDemand['giveBack']>,
  read: () => Promise<ListBytes>,
): Promise<ReservedPage> {
  const verdict = await reserve(null)
  if (verdict.kind !== 'granted') return { page: null, verdict }
  try {
    return { page: await read(), verdict }
  } catch (error) {
    giveBack(verdict)
    throw error
  }
}
