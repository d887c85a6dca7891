import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler, Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import { buildCatalogue, type Catalogue } from '../../features/prices/catalogue.ts'
import { readCatalogueRows, readListVersions } from '../../features/prices/catalogue-store.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { enterGate, type Gate } from '../pipeline/shed.ts'
import { sendPage, type Page } from './layout.ts'

/** What a page is made of. */
export interface PageData {
  db: Db
  catalogue: Catalogue
}

export interface PageRequest {
  /** The path and the known parameters that the page depends on: what is unknown makes no further copy. */
  key: string
  render: (data: PageData) => Page | Promise<Page>
  /** How long it is kept at most while no list moves; default: `pageMsMax`. */
  msMax?: number
}

interface KeptPage {
  version: string
  madeAtMs: number
  page: Page
}

const pagesBytesMax = 24 * 1_024 * 1_024
/** How long the database is not asked again whether a list has moved. */
const versionMs = 1_000
/** The ages of sources move without any price: a page is made anew after that. */
const pageMsMax = 10 * 60_000
/** Pages that wait to be made, and how long; then they are refused. */
const waitingMax = 60
/** Of one address, so that who reads a page beside a crawler waits for a few pages and not for all. */
const ofAddressMax = 6
const waitMsMax = 4_000
/**
 * After a page is made, none is for this many times as long. So a crawler of all pages takes a third of one core at
 * most, and everybody else has the rest.
 */
const restFactor = 2
const restMsMax = 250

/** The catalogue is not read again for ten times as long as it took: an import of many small steps moves the list often. */
const catalogueRestFactor = 10

/**
 * The pages that are the same for everybody: made once for each version of the lists and process, one at a time, and
 * kept as long as there is room. The catalogue is read once for each version of the prices.
 */
export class PageCache {
  readonly #db: Db
  readonly #gate: Gate
  readonly #pages = new LRUCache<string, KeptPage>({ maxSize: pagesBytesMax })
  readonly #making = new Map<string, Promise<Page>>()
  readonly #turn = new KeyedSemaphore({ max: 1, timeoutMs: waitMsMax, waitingMax })
  readonly #ofAddress = new KeyedSemaphore({ max: ofAddressMax, timeoutMs: waitMsMax, waitingMax })
  #catalogue: Catalogue | null = null
  #catalogueRestsUntilMs = 0
  #versions: { readAtMs: number; versions: Promise<{ prices: string; changes: string }> } | null = null

  constructor(db: Db, gate: Gate) {
    this.#db = db
    this.#gate = gate
  }

  /** @param read what a request asks for; null: it is none of these pages */
  handler(read: (req: Request) => PageRequest | null): RequestHandler {
    return async (req, res, next) => {
      const request = read(req)
      if (request === null) return next()
      await sendPage(res, await this.find(request, res))
    }
  }

  /** @throws ApiError and SemaphoreTimeout (503) while too many pages are asked for, or the database is away */
  async find(request: PageRequest, res: Response): Promise<Page> {
    enterGate(this.#gate, res)
    const { prices, changes } = await this.#readVersions()
    const version = versionOf(prices, changes)
    const kept = this.#pages.get(request.key)
    if (kept && kept.version === version && Date.now() - kept.madeAtMs < (request.msMax ?? pageMsMax))
      return kept.page
    const name = `${version} ${request.key}`
    const making =
      this.#making.get(name) ??
      this.#make(request, { prices, changes, address: res.req.ip ?? '' }).finally(() =>
        this.#making.delete(name),
      )
    this.#making.set(name, making)
    return making
  }

  #make(
    { key, render }: PageRequest,
    { prices, changes, address }: { prices: string; changes: string; address: string },
  ): Promise<Page> {
    const { promise, resolve, reject } = Promise.withResolvers<Page>()
    const work = async () => {
      const begunAtMs = performance.now()
      try {
        const catalogue = await this.#readCatalogue(prices)
        const page = await render({ db: this.#db, catalogue })
        const version = versionOf(catalogue.version, changes)
        this.#pages.set(key, { version, madeAtMs: Date.now(), page }, { size: page.bytes + 2 * key.length })
        resolve(page)
      } catch (error) {
        reject(error)
      }
      await sleep(Math.min(restMsMax, restFactor * (performance.now() - begunAtMs)))
    }
    this.#ofAddress.run(address, () => this.#turn.run('page', work)).catch(reject)
    return promise
  }

  /** Called in turn: no catalogue is read twice at a time. */
  async #readCatalogue(version: string): Promise<Catalogue> {
    if (this.#catalogue && BigInt(this.#catalogue.version) >= BigInt(version)) return this.#catalogue
    const begunAtMs = performance.now()
    if (this.#catalogue && begunAtMs < this.#catalogueRestsUntilMs) return this.#catalogue
    // Moves after this are in the rows as well, or in the next version.
    const { prices } = await readListVersions(this.#db)
    this.#catalogue = await buildCatalogue(prices, await readCatalogueRows(this.#db))
    const endedAtMs = performance.now()
    this.#catalogueRestsUntilMs = endedAtMs + catalogueRestFactor * (endedAtMs - begunAtMs)
    return this.#catalogue
  }

  #readVersions(): Promise<{ prices: string; changes: string }> {
    const now = performance.now()
    if (this.#versions && now - this.#versions.readAtMs < versionMs) return this.#versions.versions
    const versions = readListVersions(this.#db)
    this.#versions = { readAtMs: now, versions }
    versions.catch(() => (this.#versions = null))
    return versions
  }
}

function versionOf(prices: string, changes: string): string {
  return `${prices}-${changes}`
}
