import { setTimeout } from 'node:timers/promises'

const batchMax = 500
const retryMsMax = 5_000

/**
 * Collects work while the batch before it is written, and writes it together: nothing waits for a timer, and the
 * more there is the larger the batches are. A batch that fails is tried again until it is written.
 */
export class Batcher<T> {
  readonly #write: (items: readonly T[]) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #pending: T[] = []
  #running: Promise<void> | null = null
  #abandoned = false

  constructor(write: (items: readonly T[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write
    this.#onError = onError
  }

  add(item: T): void {
    this.#pending.push(item)
    this.#running ??= this.#run()
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
    // A turn of the loop lets everything that is ready now come along.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, batchMax)
      for (let retryMs = 100; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
        try {
          await this.#write(batch)
          break
        } catch (error) {
          this.#onError(error)
          if (this.#abandoned) break
          await setTimeout(retryMs)
        }
      }
    }
    this.#running = null
  }
}
