import { waitFor } from './caller-stack.ts'
import { ConfigurationError } from './errors.ts'
import type { List as PublicList } from './list.ts'
import { firstPage, largestPage, type Page, rowsFrom, type Source } from './page.ts'

/** What a list asks for. They are own fields: a printed list shows them. */
interface Subject {
  readonly path: string
  readonly params: { cursor?: string | undefined }
}

export class List<T> implements PublicList<T>, Subject {
  readonly path: string
  readonly params: Subject['params']
  readonly #source: Source<T>
  #first: Promise<Page<T>> | undefined

  constructor(source: Source<T>, { path, params }: Subject) {
    this.path = path
    this.params = params
    this.#source = source
  }

  then<Done = Page<T>, Failed = never>(
    onDone?: ((page: Page<T>) => Done | PromiseLike<Done>) | null,
    onFail?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#firstPage().then(onDone, onFail)
  }

  catch<Failed = never>(
    onFail?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Page<T> | Failed> {
    return this.#firstPage().catch(onFail)
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.#firstPage().finally(onEnd)
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const limit = this.#pageSize()
    return rowsFrom(() => this.#begin(limit), limit)
  }

  pages(): AsyncIterable<Page<T>> {
    return { [Symbol.asyncIterator]: () => this.#walkPages() }
  }

  async toArray(options: { limit: number }): Promise<T[]> {
    const most = (options as { limit: number } | undefined)?.limit
    if (!(typeof most === 'number' && most >= 1))
      throw new ConfigurationError('toArray needs the most rows to collect: toArray({ limit: 1000 }).')
    const rows: T[] = []
    let page: Page<T> | undefined = await this.#begin(this.#pageSize(most))
    for (; page !== undefined; page = await page.after(this.#pageSize(most - rows.length))) {
      for (const row of page.data) if (rows.push(row) >= most) return rows
    }
    return rows
  }

  async *#walkPages(): AsyncGenerator<Page<T>, void> {
    let page: Page<T> | undefined = await this.#begin(this.#pageSize())
    for (; page !== undefined; page = await page.next()) yield page
  }

  #firstPage(): Promise<Page<T>> {
    if (this.#first === undefined) {
      this.#first = this.#begin(this.#source.limit)
      // A failure is not kept: awaiting the list again asks again.
      this.#first.catch(() => (this.#first = undefined))
    }
    return waitFor(this.#first)
  }

  #begin(limit: number | undefined): Promise<Page<T>> {
    return firstPage(this.#source, this.params.cursor, limit)
  }

  /** How many rows to ask for when so many are wanted. */
  #pageSize(wanted = Infinity): number {
    return this.#source.limit ?? Math.min(largestPage, Math.ceil(wanted))
  }
}
