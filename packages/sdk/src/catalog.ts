import type { Catalog } from '../../cost/src/book.ts'
import { buildSnapshot, toRecord } from '../../cost/src/from-prices.ts'
import { refreshed, type RefreshedCatalog, type RefreshOptions } from '../../cost/src/refresh.ts'
import type { CatalogRecord } from '../../cost/src/types.ts'
import type { RatecardError } from './errors.ts'
import type { ListOptions } from './list.ts'
import type { PriceListParams } from './generated/models.ts'
import type { Prices } from './resources.ts'

// Loaded by `client.catalog()`, and by nothing else. A catalog of @ratecard/cost is a part of that package, in a copy:
// copies know one another, so there is nothing that has to be installed, and nothing that a bundler does not find. It imports none of
// the client's own modules: a bundler would split the client to share them.

/** Which prices are in a catalog, and how it is kept fresh. */
export interface CatalogParams extends Omit<PriceListParams, 'cursor' | 'since' | 'limit'>, RefreshOptions {}

export type { Catalog, RefreshedCatalog, RefreshOptions }

/** What is gone stays in the list for a month, and leaves it without a word: a walk over all of it notices. */
const walkAgainMs = 86_400_000

export async function loadCatalog(
  prices: Prices,
  asError: (error: unknown) => RatecardError,
  { refreshMs, onError, ...filters }: CatalogParams = {},
  options?: ListOptions,
): Promise<RefreshedCatalog> {
  let known = new Map<string, CatalogRecord>()
  let walkedAtMs = -Infinity

  const load = async () => {
    const nowMs = Date.now()
    const isWalk = nowMs - walkedAtMs >= walkAgainMs
    // In place only when all of it has come.
    const records = new Map(isWalk ? [] : known)
    const take = async (since: string | undefined) => {
      let pages = 0
      for await (const page of prices.list({ ...filters, since }, options).pages()) {
        pages += 1
        for (const row of page.data) records.set(row.resource_id, toRecord(row))
      }
      return pages
    }
    const newest = () => buildSnapshot(records, nowMs).catalog_version || undefined
    // A record that moves during a walk goes to its front, where the walk has been already.
    if ((await take(newest())) > 1 && isWalk) await take(newest())
    known = records
    if (isWalk) walkedAtMs = nowMs
    return buildSnapshot(records, nowMs)
  }

  const refreshing = { ...(refreshMs !== undefined && { refreshMs }), ...(onError && { onError }) }
  const catalog = await refreshed(load, 'api', refreshing).catch((error: unknown) => {
    throw asError(error)
  })
  options?.signal?.addEventListener('abort', () => catalog.close(), { once: true })
  return catalog
}
