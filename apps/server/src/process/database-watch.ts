import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { isReadOnly, type Db } from '../database/connect.ts'

/** Kubernetes gives a probe a second. */
const answerMsMax = 300

/** What a process sees of its database, for readiness and figures. */
export class DatabaseWatch {
  readonly #db: Db
  #asking: Promise<string | null> | null = null

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Why the database that this process reaches cannot serve, or null when it can. Known within 300 ms, and asked once at
   * a time: a database that is silent takes one connection, however many ask.
   */
  async whyNot(): Promise<string | null> {
    this.#asking ??= whyNotWritable(this.#db).finally(() => (this.#asking = null))
    const answered = new AbortController()
    const silence = setTimeout(answerMsMax, 'the database does not answer', { signal: answered.signal })
    try {
      return await Promise.race([this.#asking, silence])
    } finally {
      answered.abort()
    }
  }
}

const readsOnly = 'the database takes no writes: the name in DATABASE_URL leads to a standby, or it is read-only'

async function whyNotWritable(db: Db): Promise<string | null> {
  const asked = sql<{ transaction_read_only: 'on' | 'off' }>`show transaction_read_only`.execute(db)
  return asked.then(
    ({ rows: [row] }) => (row?.transaction_read_only === 'off' ? null : readsOnly),
    // Of several hosts, or where one is to take writes, a connection is not even made.
    (error: unknown) => (isReadOnly(error) ? readsOnly : 'the database does not answer'),
  )
}
