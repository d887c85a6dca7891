export interface RateLimiterOptions {
  perMinute: number
  /** How many may come at once; default: a minute's worth. */
  burst?: number
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
 * How often a minute something may be done, by key: some at once, and then one by one as time passes. Kept in the
 * process, so several processes allow as many times as much.
 */
export class RateLimiter {
  readonly #intervalMs: number
  readonly #burstMs: number
  readonly #keysMax: number
  readonly #nowMs: () => number
  /**
   * When all that was done is paid for by the time that has passed, by key. A key without recent actions is not in it.
   */
  readonly #paidAtMs = new Map<string, number>()
  #sweepSize = sweepSizeMin

  constructor(options: RateLimiterOptions) {
    const { perMinute, burst = perMinute, keysMax = keysMaxDefault, nowMs } = options
    this.#intervalMs = msPerMinute / perMinute
    this.#burstMs = burst * this.#intervalMs
    this.#keysMax = keysMax
    this.#nowMs = nowMs ?? (() => performance.now())
  }

  /** Notes that it is done once more, and returns 0; or the seconds until it may be, at least 1. */
  take(key: string): number {
    const waitMs = this.#spend(key, 0)
    return waitMs > 0 ? Math.ceil(waitMs / 1_000) : 0
  }

  /** Takes the next turn, and returns the milliseconds until then; null, and no turn: more than the given ones. */
  takeTurn(key: string, waitMsMax: number): number | null {
    const waitMs = this.#spend(key, waitMsMax)
    return waitMs > waitMsMax ? null : waitMs
  }

  /** Takes back what was noted, and was not done after all. */
  giveBack(key: string): void {
    const paidAtMs = this.#paidAtMs.get(key)
    if (paidAtMs !== undefined) this.#paidAtMs.set(key, paidAtMs - this.#intervalMs)
  }

  get size(): number {
    return this.#paidAtMs.size
  }

  /** The wait until it may be done. It is noted unless that is longer than the given one. */
  #spend(key: string, waitMsMax: number): number {
    const nowMs = this.#nowMs()
    const paidAtMs = Math.max(nowMs, this.#paidAtMs.get(key) ?? 0) + this.#intervalMs
    const exactMs = paidAtMs - nowMs - this.#burstMs
    // Sums of fractions differ in their last digits.
    const waitMs = exactMs > 0.001 ? exactMs : 0
    if (waitMs > waitMsMax) return waitMs
    this.#paidAtMs.set(key, paidAtMs)
    if (this.#paidAtMs.size >= this.#sweepSize) this.#sweep(nowMs)
    return waitMs
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
