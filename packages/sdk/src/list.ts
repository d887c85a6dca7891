import type { RateLimit } from './headers.ts'
import type { RequestOptions } from './options.ts'

/**
 * One page of a list. Iterated at once (`for`, `[...page]`) it gives its own rows; in a `for await` its rows and those
 * of all pages after it.
 */
export interface Page<T> extends Iterable<T>, AsyncIterable<T> {
  data: T[]
  /** Where the next page begins, to go on later or elsewhere; undefined on the last page. */
  nextCursor: string | undefined
  hasNextPage: boolean
  /** Where the daily quota stood; undefined when the answer does not say. */
  rateLimit: RateLimit | undefined
  /** Identifies the request. Name it when you ask for help. */
  requestId: string | undefined
  /** Gets the next page, of as many rows as this one was to have; undefined after the last one. */
  readonly next: () => Promise<Page<T> | undefined>
}

/** What a single list can set. */
export interface ListOptions extends RequestOptions {
  /**
   * The most pages of one walk, 10,000 when left out. A walk that would go on ends with `InvalidResponseError`, whose
   * `cursor` says where. The walk remembers a cursor of each page, to notice a list that leads back to itself.
   */
  maxPages?: number | undefined
}

/**
 * A list that is fetched as you go. Nothing is requested before the first step; each iteration is a walk of its own, and
 * awaiting the list gets its first page.
 *
 * Walks ask for 500 rows at a time, as every page uses up a request; the first page alone has 100. `limit` among the
 * parameters overrules both.
 *
 * An error in the middle of a walk carries the `cursor` of the page that failed.
 */
export interface List<T> extends AsyncIterable<T>, Pick<Promise<Page<T>>, 'then' | 'catch' | 'finally'> {
  /** Walks page by page. */
  pages(): AsyncIterable<Page<T>>
  /** Collects the rows, at most `limit` of them. Asks for no more rows than that, and for no page beyond. */
  toArray(options: { limit: number }): Promise<T[]>
}
