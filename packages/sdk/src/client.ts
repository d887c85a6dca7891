import { type ApiPromise, apiPromise } from './api-promise.ts'
import { waitFor } from './caller-stack.ts'
import type { CatalogParams, RefreshedCatalog } from './catalog.ts'
import { asError, type Core, createCore } from './core.ts'
import type { ListOptions } from './list.ts'
import type { Health } from './generated/models.ts'
import { mergeOptions, type RatecardOptions, type RequestOptions } from './options.ts'
import {
  type Changes,
  createChanges,
  createPrices,
  createUsage,
  createWebhooks,
  type Prices,
  type UsageResource,
  type Webhooks,
} from './resources.ts'

/**
 * A client for Ratecard.
 *
 * Making one reads nothing: key and address are looked up, and checked, when a call is made. Instead of options it takes
 * an API key alone.
 *
 * @example
 * const client = new Ratecard()
 * for await (const price of client.prices.list({ vendor: 'openai' })) console.log(price.resource_id)
 */
export class Ratecard {
  /** Stored price records: `list` them, or keep a copy up to date with `sync`. */
  readonly prices: Prices
  /** What vendors changed or announced: `list` it, or follow it with `poll`. */
  readonly changes: Changes
  /** Your endpoints for change alerts: `list`, `create` and `delete` them. */
  readonly webhooks: Webhooks
  /** Quota, metering and top-up balance of the key: `get` reads them, free of charge. */
  readonly usage: UsageResource
  // Private to the language: no way of printing a client shows the key.
  readonly #core: Core

  /** @param options options, or an API key with everything else left out */
  constructor(options: RatecardOptions | string = {}) {
    this.#core = createCore(mergeOptions({}, typeof options === 'string' ? { apiKey: options } : options))
    this.prices = createPrices(this.#core)
    this.changes = createChanges(this.#core)
    this.webhooks = createWebhooks(this.#core)
    this.usage = createUsage(this.#core)
  }

  /** A client like this one, with some options changed. Headers are merged; `hooks` are replaced as a whole. */
  withOptions(options: RatecardOptions): Ratecard {
    return derive(mergeOptions(this.#core.options, options))
  }

  /**
   * All prices as a catalog of `@ratecard/cost`, for `costOf` and `resolve`. It is kept fresh in the background until
   * `close()`: every hour, or as `refreshMs` says.
   *
   * The first look uses a request for 500 records, and each further one a single request as long as little has moved; once
   * a day all of it is walked again. What fails later is told to `onError`, and the last good prices go on.
   */
  catalog(params?: CatalogParams, options?: ListOptions): Promise<RefreshedCatalog> {
    return waitFor(
      import('./catalog.ts').then((the) => the.loadCatalog(this.prices, asError, params, options)),
    )
  }

  /** Asks whether the service answers. Needs no key, and sends none. */
  health(options?: RequestOptions): ApiPromise<Health> {
    return apiPromise(this.#core.call('getHealth', undefined, options))
  }
}

/** Outside the class: bundlers give another name to one that mentions itself, and it is printed with a client. */
function derive(options: RatecardOptions): Ratecard {
  return new Ratecard(options)
}
