import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface IdleThreadOptions {
  /** Heap of the thread, in MB. */
  heapMb: number
  /** Without work for so long it ends, and with it its memory. */
  idleMs: number
  workerData?: object
  /** Called when it has ended: nothing of what it was told is known any more. */
  onEnd?: () => void
}

/** The thread was asked for something that takes too long. It has been ended. */
export class ThreadTimeout extends Error {}

/** A thread that begins with the first question and ends when none comes. It is asked one thing at a time. */
export class IdleThread<Told, Heard> {
  readonly #file: URL
  readonly #options: IdleThreadOptions
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(file: URL, options: IdleThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /**
   * @param transfer what the thread takes over instead of a copy
   * @throws ThreadTimeout when it takes longer than that, Error when the thread breaks; then another one begins
   */
  async ask(told: Told, msMax: number, transfer: ArrayBuffer[] = []): Promise<Heard> {
    clearTimeout(this.#idle)
    const thread = (this.#thread ??= this.#start())
    const signal = AbortSignal.timeout(msMax)
    try {
      const heard = once(thread, 'message', { signal }) as Promise<[Heard]>
      thread.postMessage(told, transfer)
      return (await heard)[0]
    } catch (error) {
      this.end()
      throw signal.aborted ? new ThreadTimeout('The thread takes too long.', { cause: error }) : error
    } finally {
      this.#idle = setTimeout(() => this.end(), this.#options.idleMs).unref()
    }
  }

  end(): void {
    void this.#thread?.terminate()
    this.#forget()
  }

  #start(): Worker {
    const { heapMb, workerData } = this.#options
    const thread = new Worker(this.#file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    thread.unref()
    // Without a listener an error of the thread would end the process.
    thread.on('error', () => undefined)
    thread.on('exit', () => {
      if (this.#thread === thread) this.#forget()
    })
    return thread
  }

  #forget(): void {
    this.#thread = null
    this.#options.onEnd?.()
  }
}
