import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../database/connect.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** That the database lacks what it had confirmed: after a failover that lost commits, or a restore under a live process. */
export interface Loss {
  what: string
  /** Batches of reservations that are gone, as far as they are known. */
  batches: number
}

const retryMs = 1_000

/** Says what was lost where an operator looks: in the log, in the figures, and in the database, for `ledger verify`. */
export class LossReport {
  readonly #db: Db
  readonly #logger: Logger
  readonly #metrics: Pick<Metrics, 'countForgotten'>

  constructor(db: Db, logger: Logger, metrics: Pick<Metrics, 'countForgotten'>) {
    this.#db = db
    this.#logger = logger
    this.#metrics = metrics
  }

  add({ what, batches }: Loss): void {
    this.#metrics.countForgotten(batches)
    this.#logger.error({ what, batches }, 'the database went back behind what it had confirmed')
    void this.#store(what)
  }

  /** Again and again, while the process lives: the database has just come back. */
  async #store(what: string): Promise<void> {
    for (;;) {
      try {
        return void (await this.#db.insertInto('lost_commits').values({ what }).execute())
      } catch {
        await setTimeout(retryMs, undefined, { ref: false })
      }
    }
  }
}

/** What was noticed and not acknowledged, the latest first. */
export function readLostCommits(db: Db): Promise<{ noticed_at: string; what: string }[]> {
  return db.selectFrom('lost_commits').selectAll().orderBy('noticed_at', 'desc').execute()
}

/** An operator knows of it. */
export async function acknowledgeLostCommits(db: Db): Promise<void> {
  await db.deleteFrom('lost_commits').execute()
}
