import pg from 'pg'

/** What is sent over a connection, as far as it is needed here. */
interface Wire {
  stream: { cork: () => void; uncork: () => void }
  parse: (message: { text: string }) => void
  bind: (message: { values: unknown[] }) => void
  execute: (message: { rows?: number }) => void
}

/** What `pg` does with the answers to a statement. */
interface Answers {
  _result: unknown
  submit: (wire: Wire) => Error | null
  handleRowDescription: (message: unknown) => void
  handleDataRow: (message: unknown) => void
  handleCommandComplete: (message: unknown, wire: Wire) => void
  handleReadyForQuery: (wire: Wire) => void
  handleError: (error: Error, wire: Wire) => void
  handleEmptyQuery: (wire: Wire) => void
}

type Callback = (error: Error | null, result?: unknown) => void

/**
 * A statement with settings of its own, in one round trip. Both are sent before PostgreSQL is asked for the end of the
 * transaction: so they are one transaction, a pooler keeps it together, and the settings end with it.
 *
 * `pg` runs it as it runs any object that can be submitted. What it answers is what the statement answers.
 */
export class SettledQuery implements pg.Submittable {
  /** Replaced by `pg`, which adds a time-out. */
  callback: Callback
  readonly #settings: string
  readonly #statement: Answers
  #isSettled = false

  /** @param settings a `select` of `set_config` calls for the transaction */
  constructor(settings: string, { text, values }: { text: string; values: unknown[] }, callback: Callback) {
    this.callback = callback
    this.#settings = settings
    // Extended, or a statement without values would be a transaction of its own.
    const config = { text, values, queryMode: 'extended' }
    this.#statement = new pg.Query(config, undefined, (error: Error | undefined, result: unknown) =>
      this.callback(error ?? null, result),
    ) as unknown as Answers
  }

  /** `pg` puts the types of the connection into it. */
  get _result(): unknown {
    return this.#statement._result
  }

  submit(connection: unknown): Error | null {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      wire.parse({ text: this.#settings })
      wire.bind({ values: [] })
      wire.execute({})
      return this.#statement.submit(wire)
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription(message: unknown): void {
    this.#statement.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    if (this.#isSettled) this.#statement.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSettled) this.#statement.handleCommandComplete(message, wire)
    this.#isSettled = true
  }

  handleEmptyQuery(wire: Wire): void {
    this.#statement.handleEmptyQuery(wire)
  }

  handleError(error: Error, wire: Wire): void {
    this.#statement.handleError(error, wire)
  }

  handleReadyForQuery(wire: Wire): void {
    this.#statement.handleReadyForQuery(wire)
  }
}
