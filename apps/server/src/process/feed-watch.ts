import { setTimeout } from 'node:timers/promises'
import type { Db } from '../database/connect.ts'
import { readFeedAge, whyBehind } from '../features/cells/pulse.ts'

/** With the look at the database that comes before it, within a second: that is what Kubernetes gives a probe. */
const answerMsMax = 300
/** Probes may come many times a second; the hub's pulse comes every five. */
const keptMs = 1_000

/** What a process sees of the feed of its cell, for readiness. */
export class FeedWatch {
  readonly #db: Db
  #asking: Promise<string | null> | null = null

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Why the prices here may be old, or null when they are not, or when the database does not say so in time: what is
   * wrong with the database itself is looked at elsewhere.
   */
  async whyBehind(): Promise<string | null> {
    this.#asking ??= readFeedAge(this.#db)
      .then(whyBehind, () => null)
      .finally(() => void setTimeout(keptMs, undefined, { ref: false }).then(() => (this.#asking = null)))
    const answered = new AbortController()
    const silence = setTimeout(answerMsMax, null, { signal: answered.signal })
    try {
      return await Promise.race([this.#asking, silence])
    } finally {
      answered.abort()
    }
  }
}
