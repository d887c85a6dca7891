import { thenable } from './api-promise.ts'
import type { Reply } from './attempt.ts'
import { ConfigurationError, InvalidResponseError, RatecardError } from './errors.ts'
import { type RateLimit, readAbout } from './rate-limit.ts'

/** One page of a list. */
export interface Page<T> {
  data: T[]
  /** Where the next page begins, to go on later or elsewhere; undefined on the last page. */
  nextCursor: string | undefined
  hasNextPage: boolean
  /** Where the daily quota stood; undefined when the answer does not say. */
  rateLimit: RateLimit | undefined
  /** Identifies the request. Name it when you ask for help. */
  requestId: string | undefined
  /** Gets the next page; undefined after the last one. */
  next: () => Promise<Page<T> | undefined>
}

/**
 * A list that is fetched as you go. Nothing is requested before the first step; each iteration is a walk of its own, and
 * awaiting the list gets its first page.
 *
 * An error in the middle of a walk carries the `cursor` of the page that failed.
 */
export interface List<T> extends AsyncIterable<T>, Pick<Promise<Page<T>>, 'then' | 'catch' | 'finally'> {
  /** Walks page by page. */
  pages(): AsyncIterable<Page<T>>
  /** Collects the rows, at most `limit` of them, and fetches no page beyond. */
  toArray(options: { limit: number }): Promise<T[]>
}

interface Rows<T> {
  data: T[]
  pagination?: { next_cursor?: string | null } | null
}

/** Gets one page; `cursor` undefined is the first. */
export type FetchRows<T> = (cursor: string | undefined) => Promise<Reply<Rows<T>>>

/** Gets a page. `walked` are the cursors that led here, so that a list cannot lead back to itself unnoticed. */
export async function loadPage<T>(
  fetchRows: FetchRows<T>,
  cursor?: string,
  walked: readonly string[] = [],
): Promise<Page<T>> {
  try {
    const { data: rows, response } = await fetchRows(cursor)
    const about = () => readAbout(response.headers)
    const nextCursor = rows.pagination?.next_cursor ?? undefined
    const trail = cursor === undefined ? walked : [...walked, cursor]
    const wrong = !Array.isArray(rows.data)
      ? 'The answer has no list.'
      : nextCursor !== undefined && trail.includes(nextCursor)
        ? 'The list leads back to itself.'
        : undefined
    if (wrong !== undefined)
      throw new InvalidResponseError(wrong, { status: 200, ...about(), attempts: 1, body: rows })
    return {
      data: rows.data,
      nextCursor,
      hasNextPage: nextCursor !== undefined,
      get rateLimit() {
        return about().rateLimit
      },
      get requestId() {
        return about().requestId
      },
      next: async () => (nextCursor === undefined ? undefined : loadPage(fetchRows, nextCursor, trail)),
    }
  } catch (error) {
    if (error instanceof RatecardError) error.cursor = cursor
    throw error
  }
}

export function createList<T>(fetchRows: FetchRows<T>, cursor: string | undefined): List<T> {
  let first: Promise<Page<T>> | undefined
  const firstPage = () => {
    if (first === undefined) {
      first = loadPage(fetchRows, cursor)
      // A failure is not kept: awaiting the list again asks again.
      first.catch(() => (first = undefined))
    }
    return first
  }

  async function* walkPages(): AsyncGenerator<Page<T>, void> {
    let page: Page<T> | undefined = await loadPage(fetchRows, cursor)
    for (; page !== undefined; page = await page.next()) yield page
  }

  async function* walkRows(): AsyncGenerator<T, void> {
    for await (const page of walkPages()) yield* page.data
  }

  async function toArray({ limit }: { limit: number }): Promise<T[]> {
    if (!(limit >= 1)) throw new ConfigurationError('limit must be a number, 1 or more.')
    const rows: T[] = []
    for await (const page of walkPages()) {
      for (const row of page.data) if (rows.push(row) >= limit) return rows
    }
    return rows
  }

  const pages = () => ({ [Symbol.asyncIterator]: walkPages })
  return Object.assign(thenable(firstPage), { pages, toArray, [Symbol.asyncIterator]: walkRows })
}
