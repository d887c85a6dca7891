export interface KeyedSemaphoreOptions {
  /** How many of a key run at a time. */
  max: number
  /** How long one waits at most. */
  timeoutMs: number
  /** How many of a key may wait; default: any number. */
  waitingMax?: number
}

/** The semaphore was not free in time, or too many wait for it. */
export class SemaphoreTimeout extends Error {
  override name = 'SemaphoreTimeout'
}

interface Semaphore {
  running: number
  waiting: (() => void)[]
}

/**
 * Runs a few tasks of each key at a time, in the order in which they came. Requests of one key follow each other in the
 * database anyway, at the key's counter or at the account's row. Without a semaphore the waiting ones would hold every
 * connection, and one key whose counter is held would keep all others out.
 * Written here, because async-mutex and p-limit bound neither how many wait nor, for a task that has not begun, how long.
 */
export class KeyedSemaphore {
  readonly #semaphores = new Map<string, Semaphore>()
  readonly #options: Required<KeyedSemaphoreOptions>

  constructor(options: KeyedSemaphoreOptions) {
    this.#options = { waitingMax: Infinity, ...options }
  }

  /** @throws SemaphoreTimeout when the task cannot begin in time, or too many of the key wait already */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const semaphore = this.#semaphores.get(key) ?? { running: 0, waiting: [] }
    this.#semaphores.set(key, semaphore)
    if (semaphore.running < this.#options.max) semaphore.running += 1
    else await this.#wait(semaphore)
    try {
      return await task()
    } finally {
      const next = semaphore.waiting.shift()
      if (next) next()
      else {
        semaphore.running -= 1
        if (semaphore.running === 0) this.#semaphores.delete(key)
      }
    }
  }

  /** Resolves when a task that ends passes its permit on. */
  #wait({ waiting }: Semaphore): Promise<void> {
    const { waitingMax, timeoutMs } = this.#options
    if (waiting.length >= waitingMax)
      return Promise.reject(new SemaphoreTimeout('too many requests of one key or account wait already'))
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(new SemaphoreTimeout('too many requests of one key or account are under way'))
      }, timeoutMs)
      waiting.push(begin)
    })
  }
}
