import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler, Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { findNetwork } from '../../platform/network.ts'
import type { Gate } from '../pipeline/shed.ts'
import { makingOfPages, type PageLimits } from '../limits/index.ts'
import { sendPage, type Page } from './layout.ts'
import type { DataAges } from './ages.ts'
import type { PageSource } from './page-source.ts'

/** What a page is made of. */
export interface PageData {
  db: Db
  catalogue: Catalogue
  ages: DataAges
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

/** The ages of sources move without any price: a page is made anew after that. */
const pageMsMax = 10 * 60_000

/**
 * The pages that are the same for everybody: made once for each version of the lists and process, one at a time, and
 * kept as long as there is room.
 */
export class PageCache {
  readonly #source: PageSource
  readonly #gate: Gate
  readonly #limits: PageLimits
  readonly #pages: LRUCache<string, KeptPage>
  readonly #making = new Map<string, Promise<Page>>()
  readonly #turn: KeyedSemaphore
  readonly #ofNetwork: KeyedSemaphore

  constructor(source: PageSource, gate: Gate, limits: PageLimits = makingOfPages) {
    const { bytesMax, waitMsMax: timeoutMs, waitingMax, ofNetworkMax: max } = limits
    this.#source = source
    this.#gate = gate
    this.#limits = limits
    this.#pages = new LRUCache({ maxSize: bytesMax })
    this.#turn = new KeyedSemaphore({ max: 1, timeoutMs, waitingMax })
    this.#ofNetwork = new KeyedSemaphore({ max, timeoutMs, waitingMax: 0 })
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
    const refusal = this.#gate.refusalUnlessReady()
    if (refusal) throw refusal
    const { prices, changes } = await this.#source.readVersions()
    const version = joinVersions(prices, changes)
    const kept = this.#pages.get(request.key)
    if (kept && kept.version === version && Date.now() - kept.madeAtMs < (request.msMax ?? pageMsMax))
      return kept.page
    const name = `${version} ${request.key}`
    const making =
      this.#making.get(name) ??
      this.#make(request, { prices, changes, network: findNetwork(res.req.ip ?? '') }).finally(() =>
        this.#making.delete(name),
      )
    this.#making.set(name, making)
    return making
  }

  #make(
    { key, render }: PageRequest,
    { prices, changes, network }: { prices: string; changes: string; network: string },
  ): Promise<Page> {
    const { promise, resolve, reject } = Promise.withResolvers<Page>()
    const work = async () => {
      const begunAtMs = performance.now()
      // Who waits for a turn is at no work yet, and who is sent a kept page is at none at all.
      const refused = this.#gate.enter()
      if (refused) throw refused
      try {
        const catalogue = await this.#source.readCatalogue(prices)
        const ages = await this.#source.readAges(prices)
        const page = await render({ db: this.#source.db, catalogue, ages })
        const version = joinVersions(catalogue.version, changes)
        this.#pages.set(key, { version, madeAtMs: Date.now(), page }, { size: page.bytes + 2 * key.length })
        resolve(page)
      } catch (error) {
        reject(error)
      } finally {
        this.#gate.leave()
      }
      await sleep(Math.min(this.#limits.restMsMax, this.#limits.restFactor * (performance.now() - begunAtMs)))
    }
    this.#ofNetwork.run(network, () => this.#turn.run('page', work)).catch(reject)
    return promise
  }
}

function joinVersions(prices: string, changes: string): string {
  return `${prices}-${changes}`
}
