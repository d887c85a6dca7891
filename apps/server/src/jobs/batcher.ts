import { setTimeout } from 'node:timers/promises'

const batchMax = 500
const retryMsMax = 5_000

export interface BatcherOptions<T> {
  /** Writes all of these, or none. */
  write: (items: readonly T[]) => Promise<void>
  /** Whether a failure says that nothing can be written now, as opposed to something about the items. */
  isOutage: (error: unknown) => boolean
  onError: (error: unknown) => void
}

/**
 * Collects work while the batch before it is written, and writes it together: nothing waits for a timer, and the more
 * there is the larger the batches are. During an outage a batch is tried again until it is written. One that fails for
 * another reason is halved until the item is found that cannot be written; that one is left out, and holds up no other.
 */
export class Batcher<T> {
  readonly #options: BatcherOptions<T>
  readonly #pending: T[] = []
  #running: Promise<void> | null = null
  #writing = 0
  #abandoned = false

  constructor(options: BatcherOptions<T>) {
    this.#options = options
  }

  add(item: T): void {
    this.#pending.push(item)
    this.#running ??= this.#run()
  }

  /** Those that are not written yet. */
  get size(): number {
    return this.#pending.length + this.#writing
  }

  /** Resolves when all is written that was added before. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Stops trying again. */
  abandon(): void {
    this.#abandoned = true
  }

  async #run(): Promise<void> {
    // A round of the event loop lets everything that is ready now come along.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const items = this.#pending.splice(0, batchMax)
      this.#writing = items.length
      await this.#writeAll(items)
      this.#writing = 0
    }
    this.#running = null
  }

  async #writeAll(items: readonly T[]): Promise<void> {
    const { write, isOutage, onError } = this.#options
    for (let retryMs = 100; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      try {
        await write(items)
        return
      } catch (error) {
        onError(error)
        if (!isOutage(error)) {
          if (items.length === 1) return
          const half = Math.ceil(items.length / 2)
          await this.#writeAll(items.slice(0, half))
          await this.#writeAll(items.slice(half))
          return
        }
        if (this.#abandoned) return
        await setTimeout(retryMs)
      }
    }
  }
}
