import { setTimeout } from 'node:timers/promises'

/** With the look at the database that comes before it, within a second: that is what Kubernetes gives a probe. */
const answerMsMax = 300
/** Probes may come many times a second. */
const keptMs = 1_000

/** What a process finds in its database, for readiness. */
export class Watch {
  readonly #ask: () => Promise<string | null>
  #asking: Promise<string | null> | null = null

  /** @param ask why it is not as it should be, or null when it is */
  constructor(ask: () => Promise<string | null>) {
    this.#ask = ask
  }

  /**
   * What the question found, or null when the database does not say so in time: what is wrong with the database itself is
   * looked at elsewhere.
   */
  async whyNot(): Promise<string | null> {
    this.#asking ??= this.#ask()
      .catch(() => null)
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
