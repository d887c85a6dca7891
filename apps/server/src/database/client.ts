import pg from 'pg'
import { readDatabaseUrl } from '../platform/database-url.ts'
import { ReadOnlyHost, parseWriterHost, type WriterHost } from './writer-host.ts'

/** Settings of a PostgreSQL session, by name. */
export type Settings = Readonly<Record<string, string>>

/** What every session needs for instants that are text, and because our statements are short. */
const common: Settings = { timezone: 'UTC', datestyle: 'ISO', jit: 'off' }

/**
 * For connections whose statements all find a few rows by key, in tables that fill and empty within seconds. The
 * planner's statistics are out of date there: by them it would read all pending rows for each batch.
 */
export const alwaysByIndex: Settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

export interface ClientConfig extends pg.ClientConfig {
  /** Beside what every session needs. */
  settings?: Settings
}

type Callback = (error: Error | null, result?: unknown) => void

/**
 * A connection whose statements run with our settings, whatever stands between it and PostgreSQL.
 *
 * Settings in the start-up packet are refused by poolers, so the first statement of a connection makes them. A pooler may
 * give the next statement to another session, and this one to a stranger. It cannot hide that: the process that PostgreSQL
 * names is not the one that the start-up named. Then nothing is left in a session: no setting outlives its transaction,
 * and no statement has a name.
 */
export class Client extends pg.Client {
  readonly #settings: Settings
  readonly #url: string
  /** Where the URL has several hosts. */
  readonly #writerHost: WriterHost | null
  #isOwn = true
  /** Those that each transaction has to make for itself. */
  #missing: readonly (readonly [name: string, value: string])[] = []
  /** Transactions of ours that are sent and not answered yet. What is sent behind them is in none of them. */
  #underway = 0

  constructor(config: ClientConfig) {
    const given = config.connectionString ?? ''
    const url = readDatabaseUrl(given)?.url ?? given
    super({ pipeline: true, ...config, connectionString: url })
    this.#url = url
    this.#writerHost = parseWriterHost(given)
    this.#settings = { ...common, ...config.settings }
    // From the first moment: an error without a listener ends the process. The next statement fails with it.
    this.on('error', () => undefined)
  }

  /** Whether the session is this connection's alone, for certain. */
  get isOwn(): boolean {
    return this.#isOwn
  }

  /** Names of the settings that go along with each transaction: the role does not have them. */
  get missing(): string[] {
    return this.#missing.map(([name]) => name)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
  override connect(callback?: unknown): Promise<pg.Client> | void {
    const connected = this.#open()
    if (!callback) return connected.then(() => this)
    const call = callback as (error: Error | null, client?: pg.Client) => void
    connected.then(
      () => call(null, this),
      (error: unknown) => call(error as Error),
    )
  }

  async #open(): Promise<void> {
    const writerHost = this.#writerHost
    const found = writerHost?.find(this.#url)
    Object.assign(this, await found)
    try {
      await super.connect()
      const { readsOnly } = await this.#settle()
      if (found && readsOnly) throw new ReadOnlyHost('The database takes no writes there.')
    } catch (error) {
      if (found) writerHost?.forget(found)
      throw error
    }
  }

  async #settle(): Promise<{ readsOnly: boolean }> {
    const { processID } = this as unknown as { processID: number | null }
    const wanted = Object.entries(this.#settings)
    const literals = wanted.map((setting) => `(${setting.map((text) => pg.escapeLiteral(text)).join(', ')})`)
    // Where they must not stay, they end with this statement.
    const { rows } = await super.query<{ own: boolean; reads_only: boolean }>(`
      select pg_backend_pid() = ${Number(processID)} as own,
        current_setting('transaction_read_only') = 'on' as reads_only,
        set_config(name, value, pg_backend_pid() <> ${Number(processID)})
      from (values ${literals.join(', ')}) as settings (name, value)`)
    this.#isOwn = rows.every(({ own }) => own)
    if (!this.#isOwn) {
      // All of them are made, to see which are what the role's sessions begin with.
      const results = (await super.query(`
        begin; ${wanted.map(setLocal).join('; ')};
        select lower(name) as name from pg_settings where setting is distinct from reset_val; rollback`)) as unknown as {
        rows: { name: string }[]
      }[]
      const moved = new Set(results.flatMap(({ rows }) => rows.map(({ name }) => name)))
      this.#missing = wanted.filter(([name]) => moved.has(name))
    }
    return { readsOnly: rows.some(({ reads_only }) => reads_only) }
  }

  // The forms that pools and callers use: text or config, values, callback.
  override query(...args: unknown[]): never {
    return this.#run(args) as never
  }

  #run(args: unknown[]): unknown {
    const [first] = args
    const send = super.query.bind(this) as (...args: unknown[]) => unknown
    if (this.#isOwn || isSubmittable(first)) return send(...args)
    const callback = args.find((arg) => typeof arg === 'function') as Callback | undefined
    // A text without values is a script, with transactions of its own.
    if (typeof first === 'string' && !Array.isArray(args[1])) return send(...args)
    const { text, values = [] } =
      typeof first === 'string' ? { text: first, values: args[1] } : (first as Statement)
    const result = this.#runShared(text, values as unknown[])
    if (!callback) return result
    result.then(
      (value) => callback(null, value),
      (error: unknown) => callback(error as Error),
    )
  }

  /** A transaction for the statement and its settings, all sent before the first answer comes. */
  async #runShared(text: string, values: unknown[]): Promise<unknown> {
    const isInTransaction = this.#underway === 0 && this.getTransactionStatus() !== 'I'
    if (this.#missing.length === 0 || isInTransaction) return super.query(text, values)
    const settings = this.#missing.map(setLocal).join('; ')
    if (beginning.test(text)) return super.query(`${text}; ${settings}`)
    this.#underway += 1
    const [begun, result, ended] = await Promise.allSettled([
      super.query(`begin; ${settings}`),
      super.query(text, values),
      super.query('commit').finally(() => (this.#underway -= 1)),
    ])
    const failed = [begun, result, ended].find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return result.status === 'fulfilled' ? result.value : undefined
  }
}

interface Statement {
  text: string
  values?: unknown
}

const beginning = /^\s*(begin|start\s+transaction)\b/i

function setLocal([name, value]: readonly [string, string]): string {
  return `set local ${name} = ${pg.escapeLiteral(value)}`
}

function isSubmittable(value: unknown): boolean {
  return typeof (value as { submit?: unknown }).submit === 'function'
}
