import { type ApiPromise, apiPromise } from './api-promise.ts'
import { type Core, createCore } from './core.ts'
import type { Health } from './models.ts'
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
 * Making one never fails and reads nothing: key and address are looked up, and checked, when a call is made.
 *
 * @example
 * const client = new Ratecard()
 * for await (const price of client.prices.list({ vendor: 'openai' })) console.log(price.resource_id)
 */
export class Ratecard {
  readonly prices: Prices
  readonly changes: Changes
  readonly webhooks: Webhooks
  readonly usage: UsageResource
  // Private to the language, so that no way of printing a client shows the key.
  readonly #core: Core

  constructor(options: RatecardOptions = {}) {
    this.#core = createCore(mergeOptions({}, options))
    this.prices = createPrices(this.#core)
    this.changes = createChanges(this.#core)
    this.webhooks = createWebhooks(this.#core)
    this.usage = createUsage(this.#core)
  }

  /** A client like this one, with some options changed. Headers are merged; `hooks` are replaced as a whole. */
  withOptions(options: RatecardOptions): Ratecard {
    return new Ratecard(mergeOptions(this.#core.options, options))
  }

  /** Asks whether the service answers. Needs no key, and sends none. */
  health(options?: RequestOptions): ApiPromise<Health> {
    return apiPromise(this.#core.call((inner, init) => inner.GET('/health', init), options, false))
  }
}
