export interface RateOptions {
  perMinute: number
  /** How many keys are remembered at most; the oldest are forgotten. */
  keysMax?: number
  /** The present in milliseconds, of a clock that never goes back. */
  nowMs?: () => number
}

const msPerMinute = 60_000
/** Few enough to look through at once. */
const sweepSizeMin = 1_000
const keysMaxDefault = 20_000

/**
 * How often a minute something may be done, by key: as often at once, and then again one by one as time passes. Kept in
 * the process, so several processes allow as many times as much.
 */
export class Rate {
  readonly #intervalMs: number
  readonly #keysMax: number
  readonly #nowMs: () => number
  /**
   * When all that was done is paid for by the time that has passed, by key. A key without recent actions is not in it.
   */
  readonly #paidAtMs = new Map<string, number>()
  #sweepSize = sweepSizeMin

  constructor({ perMinute, keysMax = keysMaxDefault, nowMs = () => performance.now() }: RateOptions) {
    this.#keysMax = keysMax
    this.#intervalMs = msPerMinute / perMinute
    this.#nowMs = nowMs
  }

  /** Notes that it is done once more, and returns 0; or the seconds until it may be, at least 1. */
  take(key: string): number {
    const nowMs = this.#nowMs()
    const paidAtMs = Math.max(nowMs, this.#paidAtMs.get(key) ?? 0) + this.#intervalMs
    const waitMs = paidAtMs - nowMs - msPerMinute
    // Sums of fractions differ in their last digits.
    if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)
    this.#paidAtMs.set(key, paidAtMs)
    if (this.#paidAtMs.size >= this.#sweepSize) this.#sweep(nowMs)
    return 0
  }

  /** Takes back what was noted, and was not done after all. */
  giveBack(key: string): void {
    const paidAtMs = this.#paidAtMs.get(key)
    if (paidAtMs !== undefined) this.#paidAtMs.set(key, paidAtMs - this.#intervalMs)
  }

  get size(): number {
    return this.#paidAtMs.size
  }

  /** Forgets keys with nothing left to pay: after a minute, all of them. */
  #sweep(nowMs: number): void {
    for (const [key, paidAtMs] of this.#paidAtMs) if (paidAtMs <= nowMs) this.#paidAtMs.delete(key)
    for (const key of this.#paidAtMs.keys()) {
      if (this.#paidAtMs.size < this.#keysMax) break
      this.#paidAtMs.delete(key)
    }
    this.#sweepSize = Math.min(this.#keysMax, Math.max(sweepSizeMin, 2 * this.#paidAtMs.size))
  }
}
