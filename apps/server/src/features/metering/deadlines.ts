import type { Scheduler } from '../../platform/scheduler.ts'
import type { Verdict } from './share-out.ts'
import type { UnitItem } from './unit-store.ts'

export type UnitRequest = Omit<UnitItem, 'want'>

/** A request on its way through the meter. */
export interface Waiter {
  request: UnitRequest
  sinceMs: number
  /** Whether it has its verdict, or was told that there will be none. */
  isOver: boolean
  resolve: (verdict: Verdict) => void
  reject: (error: unknown) => void
}

/** Too long without a verdict. Whatever is granted later is given back. */
export class MeterTimeout extends Error {
  override name = 'MeterTimeout'
}

/** Tells each of these that there will be no verdict, unless it has one. */
export function fail(waiters: readonly Waiter[], error: unknown): void {
  for (const waiter of waiters) {
    if (waiter.isOver) continue
    waiter.isOver = true
    waiter.reject(error)
  }
}

/**
 * Short enough that who is over is let go before the garbage collector takes it for long-lived, with its request and
 * answer: at 1,024 it moved most of them to the old heap, which grew by 10 MB a second under full load.
 */
const sweepLengthMin = 64

/** Tells requests that have waited too long, whichever lane they are in. One timer serves all: they wait equally long. */
export class Deadlines {
  readonly #scheduler: Scheduler
  readonly #waitMsMax: number
  /** In the order of their deadlines. */
  #watched: Waiter[] = []
  #sweepLength = sweepLengthMin
  #stop: (() => void) | null = null

  constructor(scheduler: Scheduler, waitMsMax: number) {
    this.#scheduler = scheduler
    this.#waitMsMax = waitMsMax
  }

  /** To be called in the order of `sinceMs`. */
  watch(waiter: Waiter): void {
    this.#watched.push(waiter)
    if (this.#watched.length >= this.#sweepLength) this.#sweep()
    if (!this.#stop) this.#wait(waiter)
  }

  close(): void {
    this.#stop?.()
    this.#stop = null
    this.#watched = []
  }

  #wait(oldest: Waiter): void {
    const dueMs = oldest.sinceMs + this.#waitMsMax - this.#scheduler.nowMs()
    this.#stop = this.#scheduler.after(Math.max(0, dueMs), () => {
      this.#stop = null
      // A timer may come a fraction of a millisecond early.
      const lateMs = this.#scheduler.nowMs() - this.#waitMsMax + 1
      const late = this.#watched.filter((waiter) => waiter.sinceMs <= lateMs)
      fail(late, new MeterTimeout('the meter took too long'))
      this.#sweep()
      const [next] = this.#watched
      if (next) this.#wait(next)
    })
  }

  /** Forgets those that are over. Rarely enough to cost next to nothing, often enough to keep only who waits. */
  #sweep(): void {
    this.#watched = this.#watched.filter((waiter) => !waiter.isOver)
    this.#sweepLength = Math.max(sweepLengthMin, 2 * this.#watched.length)
  }
}
