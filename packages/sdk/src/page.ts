import type { Reply } from './attempt.ts'
import { ConfigurationError, InvalidResponseError, RatecardError } from './errors.ts'
import type { Page as PublicPage } from './list.ts'
import { type RateLimit, readAbout } from './rate-limit.ts'

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

/** Which page of a walk. */
interface Place {
  cursor: string | undefined
  /** Rows to ask for. */
  limit: number | undefined
  /** Counts from 1. */
  number: number
  /** The number of the page that begins at each cursor so far, so that a list cannot lead back to itself unnoticed. */
  numbers: Map<string, number>
}

/** Rows per page where all are wanted: the most there can be, as every page costs a request. */
export const largestPage = 500

/** Begins a walk at its first page. */
export function firstPage<T>(
  source: Source<T>,
  cursor: string | undefined,
  limit: number | undefined,
): Promise<Page<T>> {
  return loadPage(source, { cursor, limit, number: 1, numbers: new Map() })
}

/** The rows of a page and of all pages after it, which have `limit` rows. */
export async function* rowsFrom<T>(
  first: () => Page<T> | Promise<Page<T>>,
  limit: number,
): AsyncGenerator<T, void> {
  let page: Page<T> | undefined = await first()
  for (; page !== undefined; page = await page.after(limit)) for (const row of page.data) yield row
}

export class Page<T> implements PublicPage<T> {
  declare data: T[]
  declare nextCursor: string | undefined
  declare hasNextPage: boolean
  declare rateLimit: RateLimit | undefined
  declare requestId: string | undefined
  readonly #source: Source<T>
  readonly #place: Place

  constructor(source: Source<T>, place: Place, { data: rows, response }: Reply<Rows<T>>) {
    const about = readAbout(response.headers)
    const nextCursor = rows.pagination?.next_cursor ?? undefined
    const refuse = (message: string, status?: number) => {
      throw new InvalidResponseError(message, { status, ...about, attempts: 1, body: rows })
    }
    if (!Array.isArray(rows.data)) refuse('The answer has no list.', 200)
    // No status: not the answer is wrong, but the list.
    if (nextCursor !== undefined && (place.numbers.get(nextCursor) ?? Infinity) <= place.number)
      refuse('The list leads back to itself.')
    if (source.prepare) rows.data.forEach(source.prepare)
    Object.assign(this, { data: rows.data, nextCursor, hasNextPage: nextCursor !== undefined }, about)
    this.#source = source
    this.#place = place
  }

  /** A function that needs no `this`, and is no field of the page when it is printed. */
  get next(): () => Promise<Page<T> | undefined> {
    return async () => this.after(this.#place.limit)
  }

  /** Gets the page after this one, with `limit` rows. */
  async after(limit: number | undefined): Promise<Page<T> | undefined> {
    const { nextCursor: cursor } = this
    const { number, numbers } = this.#place
    if (cursor === undefined) return undefined
    return loadPage(this.#source, { cursor, limit, number: number + 1, numbers })
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.data.values()
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void> {
    return rowsFrom(() => this, this.#source.limit ?? largestPage)
  }
}

async function loadPage<T>(source: Source<T>, place: Place): Promise<Page<T>> {
  const { cursor, limit, number, numbers } = place
  try {
    const { fetchRows, maxPages } = source
    if (!(typeof maxPages === 'number' && maxPages >= 1))
      throw new ConfigurationError('maxPages must be a number, 1 or more.')
    if (number > maxPages)
      throw new InvalidResponseError(
        `The list goes on after ${maxPages} pages. If it is so long, raise maxPages or limit.`,
      )
    if (cursor !== undefined) numbers.set(cursor, number)
    return new Page(source, place, await fetchRows(cursor, limit))
  } catch (error) {
    if (error instanceof RatecardError) error.cursor = cursor
    throw error
  }
}
