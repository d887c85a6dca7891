import type { Reply } from './attempt.ts'
import { ConfigurationError, InvalidResponseError, RatecardError } from './errors.ts'
import { type RateLimit, readAbout } from './headers.ts'
import type { Page as PublicPage } from './list.ts'

interface Rows<T> {
  data: T[]
  pagination?: { next_cursor?: string | null } | null
}

/** What is walked, and how far at most. */
export interface Source<T> {
  /** Gets one page; without a cursor the first, without a limit as many rows as the server likes. */
  fetchRows: (cursor: string | undefined, limit: number | undefined) => Promise<Reply<Rows<T>>>
  /** Sees each row before it is given. */
  prepare?: ((row: T) => void) | undefined
  /** Rows per page, when the caller has said so. */
  limit: number | undefined
  maxPages: number
}

interface Walk<T> extends Source<T> {
  /** The number of the page that begins at each cursor so far. They show when a list leads back to itself. */
  numbers: Map<string | undefined, number>
}

/** Rows per page where all are wanted: the most there can be, as every page costs a request. */
export const largestPage = 500

/** Begins a walk at its first page. */
export function firstPage<T>(source: Source<T>, cursor?: string, limit?: number): Promise<Page<T>> {
  return loadPage({ ...source, numbers: new Map() }, 1, cursor, limit)
}

/** The rows of a page and of all pages after it, which have `limit` rows. */
export async function* rowsFrom<T>(
  first: () => Page<T> | Promise<Page<T>>,
  limit: number,
): AsyncGenerator<T, void> {
  let page: Page<T> | undefined = await first()
  for (; page !== undefined; page = await page.after(limit)) for (const row of page.data) yield row
}

/** What a page shows of itself. */
type Fields<T> = Pick<PublicPage<T>, 'data' | 'nextCursor' | 'hasNextPage' | 'rateLimit' | 'requestId'>

export class Page<T> implements PublicPage<T> {
  declare data: T[]
  declare nextCursor: string | undefined
  declare hasNextPage: boolean
  declare rateLimit: RateLimit | undefined
  declare requestId: string | undefined
  readonly #walk: Walk<T>
  readonly #number: number
  readonly #limit: number | undefined

  constructor(fields: Fields<T>, walk: Walk<T>, number: number, limit: number | undefined) {
    Object.assign(this, fields)
    this.#walk = walk
    this.#number = number
    this.#limit = limit
  }

  /** A function that needs no `this`, and is no field of the page when it is printed. */
  get next(): () => Promise<Page<T> | undefined> {
    return async () => this.after(this.#limit)
  }

  /** Gets the page after this one, with `limit` rows. */
  async after(limit: number | undefined): Promise<Page<T> | undefined> {
    const { nextCursor } = this
    return nextCursor === undefined ? undefined : loadPage(this.#walk, this.#number + 1, nextCursor, limit)
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.data.values()
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void> {
    return rowsFrom(() => this, this.#walk.limit ?? largestPage)
  }
}

async function loadPage<T>(walk: Walk<T>, number: number, cursor?: string, limit?: number): Promise<Page<T>> {
  const { fetchRows, prepare, maxPages, numbers } = walk
  try {
    if (!(typeof maxPages === 'number' && maxPages >= 1))
      throw new ConfigurationError('maxPages must be a number, 1 or more.')
    if (number > maxPages)
      throw new InvalidResponseError(
        `The list goes on after ${maxPages} pages. If it is so long, raise maxPages or limit.`,
      )
    numbers.set(cursor, number)
    const { data: rows, response } = await fetchRows(cursor, limit)
    const { data } = rows
    const about = readAbout(response.headers)
    const nextCursor = rows.pagination?.next_cursor ?? undefined
    const hasNextPage = nextCursor !== undefined
    if (hasNextPage && (numbers.get(nextCursor) ?? Infinity) <= number)
      // Without a status: no answer is wrong by itself.
      throw new InvalidResponseError('The list leads back to itself.', { ...about, attempts: 1, body: rows })
    if (prepare) data.forEach(prepare)
    return new Page({ data, nextCursor, hasNextPage, ...about }, walk, number, limit)
  } catch (error) {
    if (error instanceof RatecardError) error.cursor = cursor
    throw error
  }
}
