import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { isDatabaseUnavailable } from '../database/connect.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import { UserError } from '../platform/user-error.ts'

// Work that takes seconds, apart from the requests that are served: nothing of it may hold the event loop that answers
// customers.

export interface ThreadLimits {
  /** Heap of a thread, in MB. */
  memoryMb: number
  timeoutMs: number
  /** A stop ends it at once, whatever it is doing; default: it is told, and comes to an end itself. */
  isExpendable?: boolean
}

/** The thread came to its bounds. What it was writing is rolled back with its connection. */
export class ThreadEnded extends UserError {}

/** A failure that the thread found to be the database's; `isDatabaseUnavailable` knows it by its code. */
export class DatabaseFailure extends Error {
  readonly code = 'ECONNRESET'
}

// Threads come and go: a small young generation is collected early.
const youngGenerationMb = 16

/**
 * Starts a file of this folder as a thread, and waits for its one message and its end.
 * @param signal tells the thread to stop
 * @throws ThreadEnded when it takes too long or needs too much
 */
export async function inThread<Answer>(
  file: string,
  task: object,
  { memoryMb, timeoutMs, isExpendable = false }: ThreadLimits,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted()
  const thread = new Worker(new URL(file, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngGenerationMb },
  })
  const stop = () => (isExpendable ? void thread.terminate() : thread.postMessage('stop'))
  signal.addEventListener('abort', stop)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void thread.terminate()
  }, timeoutMs)
  try {
    const ended = once(thread, 'exit')
    const answer = await Promise.race([
      once(thread, 'message').then(([message]) => message as Answer),
      ended.then(() => null),
    ])
    await ended
    if (answer !== null) return answer
    throw new ThreadEnded(
      isLate
        ? `The run was given up: it took longer than ${timeoutMs / 60_000} minutes.`
        : 'The run was given up: its thread ended without a word.',
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw new ThreadEnded(
      `The run was given up: it needs more than ${memoryMb} MB of memory. Is this the list of prices?`,
      { cause: error },
    )
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** What a thread answers that has nothing to say but how it failed. */
type Ended = { failure: null | { isOutage: boolean; message: string } }

/** @throws DatabaseFailure or Error when the work of the thread failed */
export async function workInThread(...of: Parameters<typeof inThread>): Promise<void> {
  const { failure } = await inThread<Ended>(...of)
  if (failure === null) return
  throw failure.isOutage ? new DatabaseFailure(failure.message) : new Error(failure.message)
}

/** In a thread: does the work beside the requests that are served, and answers `workInThread`. */
export async function answerWork<Task>(work: (task: Task) => Promise<void>): Promise<void> {
  if (isMainThread || !parentPort) return
  lowerThreadPriority()
  const ended = await work(workerData as Task).then(
    (): Ended => ({ failure: null }),
    (error: unknown): Ended => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return { failure: { isOutage: isDatabaseUnavailable(error), message } }
    },
  )
  parentPort.postMessage(ended)
}
