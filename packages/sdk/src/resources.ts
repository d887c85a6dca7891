import { type ApiPromise, apiPromise } from './api-promise.ts'
import type { Reply } from './attempt.ts'
import type { Core } from './core.ts'
import { addDiff, type ListedChange } from './diff.ts'
import { follow, type Followed, type FollowOptions } from './follow.ts'
import { List as LazyList } from './lazy-list.ts'
import type { List, ListOptions } from './list.ts'
import type { DeletedResult, Price, Usage, Webhook } from './generated/models.ts'
import { operations } from './operations.ts'
import type { RequestOptions } from './options.ts'
import { firstPage, largestPage, type Source } from './page.ts'
import type { ChangeListParams, PriceListParams, WebhookCreateParams } from './generated/models.ts'
import { checkId, toQuery } from './query.ts'

/** Which price records to keep up to date, and how. */
export interface PriceSyncParams extends Omit<PriceListParams, 'cursor' | 'since'>, FollowOptions {}

/** Which changes to follow, and how. */
export interface ChangePollParams extends Omit<ChangeListParams, 'cursor' | 'since'>, FollowOptions {}

/** What a following call can set for each of its requests. Its signal is among its parameters. */
export type FollowRequestOptions = Omit<ListOptions, 'signal'>

/** Stored price records. */
export interface Prices {
  /** Lists price records, newest `updated_at` first. Every page uses up one request. */
  list(params?: PriceListParams, options?: ListOptions): List<Price>
  /**
   * Keeps a copy up to date: gives every record, then each that moves, for ever or `once`.
   *
   * Newest first within a round, page by page: memory stays bounded. The checkpoint comes at the end of a
   * round: a round that you leave comes again as a whole, one that you finish never does. Outages, a used-up quota and
   * maintenance pages are waited out; what waiting cannot mend (400, 401, 403) is thrown.
   */
  sync(params?: PriceSyncParams, options?: FollowRequestOptions): AsyncIterable<Price>
}

/** What vendors changed, or said they will change. */
export interface Changes {
  /** Lists published changes, newest `updated_at` first. Every page uses up one request. */
  list(params?: ChangeListParams, options?: ListOptions): List<ListedChange>
  /**
   * Follows the changes: gives those since `since` (all, when it is left out), then new ones as they come, for ever or
   * `once`.
   *
   * Oldest first within a round, each version of a change a single time. After a restart from the checkpoint only the
   * change that was in hand when you stopped comes again. Outages, a used-up quota and maintenance pages are waited out;
   * what waiting cannot mend (400, 401, 403) is thrown.
   */
  poll(params?: ChangePollParams, options?: FollowRequestOptions): AsyncIterable<ListedChange>
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

const usualMaxPages = 10_000

export function createPrices(core: Core): Prices {
  const pickId = (price: Price) => price.resource_id
  const { list, follower } = listing<Price>(core, 'listPrices', { pickId, oldestFirst: false })
  return { list, sync: follower }
}

export function createChanges(core: Core): Changes {
  const pickId = (change: ListedChange) => change.id
  const { list, follower } = listing(core, 'listChanges', { pickId, oldestFirst: true, prepare: addDiff })
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

type ListParams = Pick<PriceListParams, 'since' | 'cursor' | 'limit'>

type FollowParams = FollowOptions & Omit<ListParams, 'cursor'>

/** What prices and changes differ in. */
type Manner<T> = Pick<Followed<T>, 'pickId' | 'oldestFirst'> & Pick<Source<T>, 'prepare'>

/** What prices and changes have in common. */
function listing<T extends { updated_at: string }>(
  core: Core,
  operation: 'listPrices' | 'listChanges',
  { pickId, oldestFirst, prepare }: Manner<T>,
) {
  const buildSource = (params: ListParams | undefined, options?: ListOptions): Source<T> => {
    const { maxPages = usualMaxPages, ...rest } = options ?? {}
    return {
      fetchRows: (cursor, limit) =>
        core.call(operation, () => ({ query: toQuery({ ...params, limit, cursor }) }), options && rest),
      prepare,
      limit: params?.limit,
      maxPages,
    }
  }

  const list = (params?: ListParams, options?: ListOptions): List<T> =>
    new LazyList(buildSource(params, options), { path: operations[operation].path, params: { ...params } })

  const follower = (params?: FollowParams, options?: FollowRequestOptions): AsyncIterable<T> => ({
    [Symbol.asyncIterator]: () => {
      const { intervalMs, once, onCheckpoint, signal, limit = largestPage, ...query } = params ?? {}
      const load: Followed<T>['load'] = (since) =>
        firstPage(buildSource({ ...query, since }, { ...options, signal }), undefined, limit)
      const { since } = query
      const followed = { load, pickId, oldestFirst, onRetry: core.notifyPause }
      return follow(followed, { since, intervalMs, once, onCheckpoint, signal })
    },
  })

  return { list, follower }
}
