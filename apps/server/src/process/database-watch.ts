import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { isReadOnly, type Db } from '../database/connect.ts'
import type { DatabaseState, ServerSlots } from '../platform/figures/database.ts'

/** Kubernetes gives a probe a second. */
const answerMsMax = 300

/** What the database says of itself: one whose disk is full calls itself writable. */
type Asked = Exclude<DatabaseState, 'refusing'>

/** What a process sees of its database, for readiness and figures. */
export class DatabaseWatch {
  readonly #db: Db
  readonly #whyNoWrites: () => string | null
  #asking: Promise<Asked> | null = null

  /** @param whyNoWrites what became of the last writes: null where they went well, or there were none */
  constructor(db: Db, whyNoWrites: () => string | null = () => null) {
    this.#db = db
    this.#whyNoWrites = whyNoWrites
  }

  /**
   * Why the database that this process reaches cannot serve, or null when it can. Known within 300 ms, and asked once at
   * a time: a database that is silent takes one connection, however many ask.
   */
  async whyNot(): Promise<string | null> {
    return reasons[await this.#ask()] ?? this.#whyNoWrites()
  }

  /** How near its server is to its limit, which every role may see; null: it does not answer, and is not waited for. */
  async slots(): Promise<ServerSlots | null> {
    if ((await this.#ask()) === 'away') return null
    const { rows } = await sql<ServerSlots>`
      select sum(numbackends)::int as open, current_setting('max_connections')::int as "limit"
      from pg_stat_database`.execute(this.#db)
    return rows[0] ?? null
  }

  /** The same in a word. */
  async state(): Promise<DatabaseState> {
    const state = await this.#ask()
    return state === 'writable' && this.#whyNoWrites() !== null ? 'refusing' : state
  }

  async #ask(): Promise<Asked> {
    this.#asking ??= readState(this.#db).finally(() => (this.#asking = null))
    const answered = new AbortController()
    const silence = setTimeout(answerMsMax, 'away' as const, { signal: answered.signal })
    try {
      return await Promise.race([this.#asking, silence])
    } finally {
      answered.abort()
    }
  }
}

const reasons: Record<Asked, string | null> = {
  writable: null,
  'read-only':
    'the database takes no writes: the name in DATABASE_URL leads to a standby, or it is read-only',
  away: 'the database does not answer',
}

function readState(db: Db): Promise<Asked> {
  const asked = sql<{ transaction_read_only: 'on' | 'off' }>`show transaction_read_only`.execute(db)
  return asked.then(
    ({ rows: [row] }) => (row?.transaction_read_only === 'off' ? 'writable' : 'read-only'),
    // Of several hosts, or where one is to take writes, a connection is not even made.
    (error: unknown) => (isReadOnly(error) ? 'read-only' : 'away'),
  )
}
