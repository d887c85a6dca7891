import type { Scheduler } from '../../platform/scheduler.ts'
import { activeTimes, type RequestTimes } from '../../platform/request-times.ts'
import { activeSpan, type Span } from '../../platform/tracing.ts'
import type { Verdict } from './distribute-units.ts'
import type { UnitItem } from './unit-store.ts'

export type UnitRequest = Omit<UnitItem, 'want'>

/** Too long without a verdict. Units that are granted later are given back. */
export class MeterTimeout extends Error {
  override name = 'MeterTimeout'
}

/** A request on its way through the meter. It ends once: with a verdict, with an error, or at its deadline. */
export class Waiter {
  readonly request: UnitRequest
  /** Of the request that waits; null: it is not traced. */
  readonly span: Span | null = activeSpan()
  /** What the request waits for, if somebody adds it up. */
  readonly times: RequestTimes | undefined
  readonly sinceMs: number
  readonly #result = Promise.withResolvers<Verdict>()
  readonly #stopTimer: () => void
  #isOver = false

  constructor(
    request: UnitRequest,
    {
      scheduler,
      waitMsMax,
      times,
    }: { scheduler: Scheduler; waitMsMax: number; times?: RequestTimes | undefined },
  ) {
    this.request = request
    this.times = times ?? activeTimes()
    // One that adds up by itself asks at once.
    this.sinceMs = times?.sinceMs ?? scheduler.nowMs()
    this.#stopTimer = scheduler.after(waitMsMax, () => this.fail(new MeterTimeout('the meter took too long')))
  }

  get result(): Promise<Verdict> {
    return this.#result.promise
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The batch of this request was sent, and has its outcome. */
  noteBatch(sentMs: number, endMs: number): void {
    if (!this.times) return
    this.times.queueMs += sentMs - this.sinceMs
    this.times.meterMs += endMs - sentMs
  }

  answer(verdict: Verdict): void {
    this.#end()
    this.#result.resolve(verdict)
  }

  /** Without effect on a request that is over. */
  fail(error: unknown): void {
    if (this.#isOver) return
    this.#end()
    this.#result.reject(error)
  }

  #end(): void {
    this.#isOver = true
    this.#stopTimer()
  }
}
