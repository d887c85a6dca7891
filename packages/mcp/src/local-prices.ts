import { resolve as pathOf } from 'node:path'
import type { Catalog } from '@ratecard/cost'
import { shippedCatalog } from '@ratecard/cost/catalog'
import { catalogFromFile } from '@ratecard/cost/file'
import { catalogFromUrl } from '@ratecard/cost/live'
import type { Ratecard } from '@ratecard/sdk'
import type { Budget } from './budget.ts'
import { report, toSentence } from './errors.ts'
import type { Prices, PriceSource } from './prices.ts'
import type { Settings } from './settings.ts'

interface Loaded extends Catalog {
  refresh(): Promise<boolean>
}

const freshMs = 3_600_000
const retryMs = 60_000
const notSet =
  'RATECARD_BASE_URL is not set, so these are the prices that come with this program. They are not live.'

/** Somebody waits for the answer; a snapshot may have to be written first, which takes seconds. */
const waitMs = 700
const notYet =
  'The prices of your Ratecard are still being loaded, so these are the prices that come with this program. They are not live: ask again in a few seconds.'

/**
 * Where the tools have prices from: the snapshot of the server, which needs no key and no quota and has rate cards; else
 * the live API with the key; else the list that comes with this program. It is looked at when a client has come
 * and when a tool is called, at most once an hour, and after a failure once a minute. No call waits long for it.
 */
export class LocalPrices implements PriceSource {
  readonly #settings: Settings
  readonly #client: Ratecard | null
  readonly #budget: Budget
  #shipped: Catalog | undefined
  #loaded: Loaded | undefined
  #note: string | null = null
  #lookAtMs = -Infinity
  #looking: Promise<void> | undefined
  /** A tool was called: only then requests of the quota are spent. */
  #isAsked = false

  constructor(settings: Settings, client: Ratecard | null, budget: Budget) {
    this.#settings = settings
    this.#client = client
    this.#budget = budget
  }

  async get(nowMs = Date.now()): Promise<Prices> {
    if (!this.#hasPlace()) return { catalog: this.#shippedOne(), note: notSet }
    this.#isAsked = true
    this.begin(nowMs)
    // Only who has nothing yet waits: what is there is told with its age.
    if (this.#loaded === undefined) await this.#wait()
    const isOnTheWay = this.#loaded === undefined && this.#looking !== undefined
    return { catalog: this.#loaded ?? this.#shippedOne(), note: isOnTheWay ? notYet : this.#note }
  }

  /** Looks at the prices, where it is time to. */
  begin(nowMs = Date.now()): void {
    if (this.#hasPlace() && nowMs >= this.#lookAtMs)
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
  }

  /** When no look is under way any more. */
  async idle(): Promise<void> {
    await this.#looking
  }

  #hasPlace(): boolean {
    return this.#settings.snapshot !== null || this.#settings.baseUrl !== null
  }

  async #wait(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.#looking, new Promise((resolve) => (timer = setTimeout(resolve, waitMs)))])
    clearTimeout(timer)
  }

  #shippedOne(): Catalog {
    return (this.#shipped ??= shippedCatalog())
  }

  async #look(): Promise<void> {
    try {
      if (this.#loaded === undefined) this.#loaded = await this.#load()
      else await this.#loaded.refresh()
      this.#note = null
      this.#lookAtMs = Date.now() + freshMs
    } catch (error) {
      this.#note =
        this.#loaded === undefined
          ? `${toSentence(error, report)} So these are the prices that come with this program. They are not live.`
          : `${toSentence(error, report)} So these are the prices of the last time.`
      if (this.#isAsked) this.#lookAtMs = Date.now() + retryMs
    }
  }

  async #load(): Promise<Loaded> {
    const { snapshot, baseUrl } = this.#settings
    const never = { refreshMs: 0 }
    if (snapshot !== null)
      return /^https?:\/\//.test(snapshot)
        ? catalogFromUrl(snapshot, never)
        : catalogFromFile(pathOf(snapshot), never)
    try {
      return await catalogFromUrl(`${baseUrl}/snapshot.json`, never)
    } catch (error) {
      // Not every address of the API serves the public files.
      if (this.#client === null || !this.#isAsked) throw error
      this.#budget.take()
      return this.#client.catalog(never)
    }
  }
}
