import { sql } from 'kysely'
import type { PoolFigures } from '../platform/figures/database.ts'
import type { Logger } from '../platform/logger.ts'
import { poolFigures, type Db } from './connect.ts'

const probeEveryMs = 1_000

/**
 * A copy of the database that follows it, to read from. It may be behind, and it may be away: its answers are checked
 * against the database itself, and without an answer the database is read.
 */
export class Replica {
  readonly #db: Db
  readonly #logger: Logger
  #isAway = false
  #probedAtMs = -Infinity

  constructor(db: Db, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** What was read, or null when it could not be. No request waits for a replica that is known to be away. */
  async read<T>(work: (db: Db) => Promise<T>): Promise<T | null> {
    if (this.#isAway) {
      void this.#probe()
      return null
    }
    try {
      return await work(this.#db)
    } catch (error) {
      if (!this.#isAway)
        this.#logger.warn({ err: error }, 'the replica cannot be read: the database is, until it can')
      this.#isAway = true
      this.#probedAtMs = performance.now()
      return null
    }
  }

  /** The connections to it. */
  pool(): PoolFigures {
    return poolFigures(this.#db)
  }

  close(): Promise<void> {
    return this.#db.destroy()
  }

  async #probe(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.#probedAtMs < probeEveryMs) return
    this.#probedAtMs = nowMs
    try {
      await sql`select version from list_versions limit 1`.execute(this.#db)
    } catch {
      return
    }
    this.#isAway = false
    this.#logger.info('the replica is read again')
  }
}
