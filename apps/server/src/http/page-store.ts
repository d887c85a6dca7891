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
    const remembered = this.get(key)
    const reading = this.#reading.get(key)
    if (!remembered && !reading) return reserveFresh(await this.#read(key, read), reserve)

    // Read before this request came, or begun to be: as good as its version.
    const page = remembered ?? (await reading!)
    const verdict = await reserve(page.version)
    if (verdict.kind !== 'stale') return { page, verdict }

    // What is kept or being read by now was begun after that page had been, and so after this request came.
    this.forget(key, page)
    const next = this.get(key) ?? (await (this.#reading.get(key) ?? this.#read(key, read)))
    return reserveFresh(next, reserve)
  }

  /** Whoever wants the page meanwhile waits for the same reading. */
  #read(key: string, read: () => Promise<PageBytes>): Promise<PageBytes> {
    const reading = read()
      .then((page) => {
        this.#keep(key, page)
        return page
      })
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  #keep(key: string, page: PageBytes): void {
    this.#pages.set(key, page, page.size + 2 * key.length + overheadBytes)
  }
}

/** A page that was read after the request came shows what the request may see, whatever happens meanwhile. */
export async function reserveFresh(page: PageBytes, reserve: PageDemand['reserve']): Promise<ReservedPage> {
  return { page, verdict: await reserve(null) }
}
