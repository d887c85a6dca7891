import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { UserError } from '../platform/user-error.ts'
import { unwrap, type Heard, type Told } from './answer.ts'

// Work that takes long, apart from the requests that are served: nothing of it may hold the event loop that answers
// customers.

/** The thread came to its bounds. What it was writing is rolled back with its connection. */
export class ThreadEnded extends UserError {}

/** It was asked for something that takes too long. */
export class ThreadTimeout extends ThreadEnded {}

// Threads come and go: a small young generation is collected early.
const youngGenerationMb = 16

/** A start is no work. It takes seconds on a busy machine, where a thread that is ended for that would never begin. */
const startMsMax = 60_000

export interface ThreadOptions {
  /** Heap of the thread, in MB. */
  memoryMb: number
  /** Without work for so long it ends, and with it its memory. */
  idleMs: number
  /** Called when it has ended: nothing of what it was told is known any more. */
  onEnd?: () => void
}

/** A thread that begins with the first task and ends when none comes. It is asked one thing at a time. */
export class Thread<Task, Answer> {
  readonly #file: URL
  readonly #options: ThreadOptions
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  /** @param file ends with `answerInThread` */
  constructor(file: URL, options: ThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /**
   * @param transfer what the thread takes over instead of a copy
   * @throws ThreadTimeout and ThreadEnded when it takes too long or needs too much, and what the thread throws. A thread
   *   that has ended begins again with the next task.
   */
  async ask(task: Task, timeoutMs: number, transfer: ArrayBuffer[] = []): Promise<Answer> {
    clearTimeout(this.#idle)
    const isNew = this.#worker === null
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      worker.postMessage({ task } satisfies Told<Task>, transfer)
      if (isNew) await this.#hear(worker, startMsMax)
      return unwrap(await this.#hear<Heard<Answer>>(worker, timeoutMs))
    } finally {
      worker.unref()
      this.#idle = setTimeout(() => void this.end(), this.#options.idleMs).unref()
    }
  }

  /** Tells the thread to come to an end with what it does. */
  stop(): void {
    this.#worker?.postMessage('stop' satisfies Told<Task>)
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#forget()
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.memoryMb,
        maxYoungGenerationSizeMb: youngGenerationMb,
      },
    })
    // Without a listener an error of the thread would end the process.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (this.#worker === worker) this.#forget()
      worker.emit('error', new ThreadEnded('The run was given up: its thread ended without a word.'))
    })
    return worker
  }

  async #hear<Message>(worker: Worker, timeoutMs: number): Promise<Message> {
    const timeout = AbortSignal.timeout(timeoutMs)
    const heard = once(worker, 'message', { signal: timeout }) as Promise<[Message]>
    return (await heard.catch((error: unknown) => this.#giveUp(error, timeout, timeoutMs)))[0]
  }

  #forget(): void {
    this.#worker = null
    this.#options.onEnd?.()
  }

  async #giveUp(error: unknown, timeout: AbortSignal, timeoutMs: number): Promise<never> {
    await this.end()
    const how = { cause: error }
    if (timeout.aborted)
      throw new ThreadTimeout(`The run was given up: it took longer than ${timeoutMs / 1_000} seconds.`, how)
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const message = `The run was given up: it needs more than ${this.#options.memoryMb} MB of memory. Is this the list of prices?`
    throw new ThreadEnded(message, how)
  }
}

export interface ThreadLimits {
  /** Heap of a thread, in MB. */
  memoryMb: number
  timeoutMs: number
  /** A stop ends it at once, whatever it is doing; default: it is told, and comes to an end itself. */
  isExpendable?: boolean
}

/**
 * Does one task in a thread of its own.
 * @param signal tells the thread to stop
 * @throws as `Thread.ask`
 */
export async function inThread<Answer>(
  file: URL,
  task: object,
  { memoryMb, timeoutMs, isExpendable = false }: ThreadLimits,
  signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted()
  const thread = new Thread<object, Answer>(file, { memoryMb, idleMs: 0 })
  const stop = () => (isExpendable ? void thread.end() : thread.stop())
  signal?.addEventListener('abort', stop)
  try {
    return await thread.ask(task, timeoutMs)
  } finally {
    signal?.removeEventListener('abort', stop)
    await thread.end()
  }
}
