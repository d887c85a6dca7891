import type { Lru } from '../platform/lru.ts'
import type { Verdict } from '../features/metering/meter.ts'
import type { PageBytes } from './page-bytes.ts'

// A page is kept with the version of its feed, and sent only to a request whose reservation found the feed still in
// that version. So nobody waits for a time-out to see what was imported, and nobody pays for a page that has passed.

/** How a request gets its page. */
export interface PageDemand {
  /** Equal for requests that get the same page. */
  key: string
  /** Reads the page from the database. */
  read: () => Promise<PageBytes>
  /** Reads it where it may be behind; resolves to null when that cannot be done. Absent: there is no such place. */
  readReplica?: (() => Promise<PageBytes | null>) | null
  /** Takes the request's unit if the feed is in this version; null: in any. */
  reserve: (version: string | null) => Promise<Verdict>
}

/** The page that the verdict is about; it is sent if the verdict is a unit. */
export interface ReservedPage {
  page: PageBytes
  verdict: Verdict
}

/** What a page's key and its place in the store take beside its bytes, roughly. */
const overheadBytes = 500

export class PageStore {
  readonly #pages: Lru<PageBytes>
  readonly #reading = new Map<string, Promise<PageBytes>>()
  readonly #copying = new Map<string, Promise<PageBytes | null>>()
  /** Pages of a replica. However late they are read, they are as good as their version. */
  readonly #copies = new WeakSet<PageBytes>()

  constructor(pages: Lru<PageBytes>) {
    this.#pages = pages
  }

  get(key: string): PageBytes | undefined {
    return this.#pages.get(key)
  }

  /** Accounts for codings that were added to the page. */
  resize(key: string, page: PageBytes): void {
    if (this.#pages.peek(key) === page) this.#keep(key, page)
  }

  forget(key: string, page: PageBytes): void {
    if (this.#pages.peek(key) === page) this.#pages.delete(key)
  }

  /** A page and the unit for it, or why there is none. Reads before it reserves: what fails to be read costs nothing. */
  async reserve(demand: PageDemand): Promise<ReservedPage> {
    const { key, read, reserve } = demand
    // Read before this request came, or begun to be: as good as its version.
    const reading = this.#reading.get(key)
    const early = this.get(key) ?? (reading && (await reading))
    if (early) {
      const reserved = await reserveVersion(early, reserve)
      if (reserved) return reserved
      this.forget(key, early)
    }

    const copy = demand.readReplica ? await this.#readReplica(key, demand.readReplica) : null
    if (copy && copy.version !== early?.version) {
      const reserved = await reserveVersion(copy, reserve)
      if (reserved) return reserved
    }
    if (copy) this.forget(key, copy)

    // What the database has given by now, or is giving, was asked of it after this request came: a page is kept only
    // while no other is being read there.
    const kept = this.get(key)
    const next =
      kept && !this.#copies.has(kept) ? kept : await (this.#reading.get(key) ?? this.#read(key, read))
    return reserveFresh(next, reserve)
  }

  /** Whoever wants the page meanwhile waits for the same reading. */
  #read(key: string, read: () => Promise<PageBytes>): Promise<PageBytes> {
    this.#pages.delete(key)
    const reading = read()
      .then((page) => {
        this.#keep(key, page)
        return page
      })
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #readReplica(key: string, read: NonNullable<PageDemand['readReplica']>): Promise<PageBytes | null> {
    // The database gives it already.
    if (this.#reading.has(key)) return null
    const copying = this.#copying.get(key)
    if (copying) return copying
    const reading = read()
      .then((page) => {
        if (page) {
          this.#copies.add(page)
          // What the database has given or is giving meanwhile is newer.
          if (!this.#reading.has(key) && !this.#pages.peek(key)) this.#keep(key, page)
        }
        return page
      })
      .finally(() => this.#copying.delete(key))
    this.#copying.set(key, reading)
    return reading
  }

  #keep(key: string, page: PageBytes): void {
    this.#pages.set(key, page, page.size + 2 * key.length + overheadBytes)
  }
}

/** The same without keeping anything. */
export async function reserveUnkept({ read, readReplica, reserve }: PageDemand): Promise<ReservedPage> {
  const copy = await readReplica?.()
  return (copy && (await reserveVersion(copy, reserve))) ?? reserveFresh(await read(), reserve)
}

/** The page with its verdict, or null when its feed has moved on. */
async function reserveVersion(page: PageBytes, reserve: PageDemand['reserve']): Promise<ReservedPage | null> {
  const verdict = await reserve(page.version)
  return verdict.kind === 'stale' ? null : { page, verdict }
}

/** A page that was read after the request came shows what the request may see, whatever happens meanwhile. */
async function reserveFresh(page: PageBytes, reserve: PageDemand['reserve']): Promise<ReservedPage> {
  return { page, verdict: await reserve(null) }
}
