import { type ApiPromise, apiPromise } from './api-promise.ts'
import type { Reply } from './attempt.ts'
import type { Core } from './core.ts'
import { follow, type Followed, type FollowOptions } from './follow.ts'
import { createList, type FetchRows, type List, loadPage } from './list.ts'
import type { Change, DeletedResult, Price, Usage, Webhook } from './models.ts'
import type { RequestOptions } from './options.ts'
import type { ChangeListParams, PriceListParams, WebhookCreateParams } from './params.ts'
import { checkId, toQuery } from './query.ts'

/** Which price records to keep up to date, and how. */
export interface PriceSyncParams extends Omit<PriceListParams, 'cursor' | 'since'>, FollowOptions {}

/** Which changes to follow, and how. */
export interface ChangePollParams extends Omit<ChangeListParams, 'cursor' | 'since'>, FollowOptions {}

/** What a following call can set for each of its requests. Its signal is among its parameters. */
export type FollowRequestOptions = Omit<RequestOptions, 'signal'>

/** Stored price records. */
export interface Prices {
  /** Lists price records, newest `updated_at` first. Every page uses up one request. */
  list(params?: PriceListParams, options?: RequestOptions): List<Price>
  /**
   * Keeps a copy up to date: gives every record, then each that moves, for ever or `once`.
   *
   * At least once, newest first within a round, page by page, so that memory stays bounded; the checkpoint is told at the
   * end of a round. Outages and a used-up quota are waited out; what waiting cannot mend (400, 401, 403) is thrown.
   */
  sync(params?: PriceSyncParams, options?: FollowRequestOptions): AsyncIterable<Price>
}

/** What vendors changed, or said they will change. */
export interface Changes {
  /** Lists published changes, newest `updated_at` first. Every page uses up one request. */
  list(params?: ChangeListParams, options?: RequestOptions): List<Change>
  /**
   * Follows the changes: gives those since `since` (all, when it is left out), then new ones as they come, for ever or
   * `once`.
   *
   * At least once, each version of a change a single time while it runs, oldest first within a round. Outages and a
   * used-up quota are waited out; what waiting cannot mend (400, 401, 403) is thrown.
   */
  poll(params?: ChangePollParams, options?: FollowRequestOptions): AsyncIterable<Change>
}

/** Your endpoints for change alerts. */
export interface Webhooks {
  /** Lists all subscriptions, inactive ones too. */
  list(options?: RequestOptions): ApiPromise<Webhook[]>
  /**
   * Registers an endpoint. Sent again only when the request certainly never left, so it is not done twice; after a
   * `ConnectionError` with `mayHaveArrived`, look into `list()`.
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<Webhook>
  /**
   * Removes a subscription. When an attempt failed without an answer and the next one says that there is no such
   * subscription, it counts as done.
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedResult>
}

/** Quota, metering and top-up balance. */
export interface UsageResource {
  /** Tells where the key and its account stand. Free of charge, also when the quota is used up. */
  get(options?: RequestOptions): ApiPromise<Usage>
}

/** What following asks for, as every page costs a request. */
const largestPage = 500

export function createPrices(core: Core): Prices {
  const { list, follower } = listing<Price>(core, 'listPrices', (price) => price.resource_id, false)
  return { list, sync: follower }
}

export function createChanges(core: Core): Changes {
  const { list, follower } = listing<Change>(core, 'listChanges', (change) => change.id, true)
  return { list, poll: follower }
}

export function createWebhooks(core: Core): Webhooks {
  return {
    list: (options) => apiPromise(unwrap(core.call('listWebhooks', undefined, options))),
    create: (params, options) =>
      apiPromise(unwrap(core.call('createWebhook', () => ({ body: { ...params } }), options))),
    delete: (id, options) =>
      apiPromise(core.call('deleteWebhook', () => ({ path: { id: checkId(id) } }), options)),
  }
}

export function createUsage(core: Core): UsageResource {
  return {
    get: (options) => apiPromise(core.call('getUsage', undefined, options)),
  }
}

/** The envelope around a result is the wire's business. */
async function unwrap<T>(call: Promise<Reply<{ data: T }>>): Promise<Reply<T>> {
  const answer = await call
  return { ...answer, data: answer.data.data }
}

/** What prices and changes have in common. */
function listing<T extends { updated_at: string }>(
  core: Core,
  operation: 'listPrices' | 'listChanges',
  idOf: (row: T) => string,
  oldestFirst: boolean,
) {
  const rowsOf =
    (params: object, options?: RequestOptions): FetchRows<T> =>
    (cursor) =>
      core.call(operation, () => ({ query: toQuery({ ...params, cursor }) }), options)

  const list = (params: { cursor?: string | undefined } = {}, options?: RequestOptions) =>
    createList(rowsOf(params, options), params.cursor)

  const follower = (
    params: FollowOptions & { limit?: number | undefined } = {},
    options?: FollowRequestOptions,
  ): AsyncIterable<T> => {
    const { intervalMs: _, once: __, onCheckpoint: ___, signal, limit = largestPage, ...query } = params
    const load: Followed<T>['load'] = (since) =>
      loadPage(rowsOf({ ...query, limit, since }, { ...options, signal }))
    const onRetry: Followed<T>['onRetry'] = (attempt, delayMs, error) =>
      core.tellPause(error, attempt, delayMs)
    return { [Symbol.asyncIterator]: () => follow({ load, idOf, oldestFirst, onRetry }, params) }
  }

  return { list, follower }
}
