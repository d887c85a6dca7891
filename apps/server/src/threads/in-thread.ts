import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { isDatabaseUnavailable } from '../database/connect.ts'
import { FeatureError, type Refusal } from '../features/feature-error.ts'
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
class DatabaseFailure extends Error {
  readonly code = 'ECONNRESET'
}

/** The one message of a thread. Errors lose their class on the way: what callers tell apart is told by its kind. */
type Message<Answer> =
  | { answer: Answer }
  | { failure: { kind: 'user' | 'database' | 'fault'; message: string } }
  | { failure: { kind: 'refused'; message: string; refusal: Refusal } }

function toFailure(error: unknown): Message<never> {
  if (error instanceof FeatureError) {
    const { message, refusal } = error
    return { failure: { kind: 'refused', message, refusal } }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof UserError) return { failure: { kind: 'user', message } }
  return { failure: { kind: isDatabaseUnavailable(error) ? 'database' : 'fault', message: stack ?? message } }
}

function unwrap<Answer>(message: Message<Answer>): Answer {
  if ('answer' in message) return message.answer
  const { failure } = message
  if (failure.kind === 'refused') throw new FeatureError(failure.message, failure.refusal)
  if (failure.kind === 'user') throw new UserError(failure.message)
  throw failure.kind === 'database' ? new DatabaseFailure(failure.message) : new Error(failure.message)
}

/** In the file of a thread: does its task, and says what came of it. Elsewhere nothing. */
export async function answerInThread<Task, Answer>(
  work: (task: Task, signal: AbortSignal) => Promise<Answer>,
): Promise<void> {
  if (isMainThread || !parentPort) return
  const stopping = new AbortController()
  parentPort.once('message', () => stopping.abort(new Error('The worker stops.'))).unref()
  const said = await work(workerData as Task, stopping.signal).then((answer) => ({ answer }), toFailure)
  parentPort.postMessage(said)
}

// Threads come and go: a small young generation is collected early.
const youngGenerationMb = 16

/**
 * Starts a file as a thread, which ends with `answerInThread`, and waits for its message and its end.
 * @param signal tells the thread to stop
 * @throws ThreadEnded when it takes too long or needs too much, and what the thread throws
 */
export async function inThread<Answer>(
  file: URL,
  task: object,
  { memoryMb, timeoutMs, isExpendable = false }: ThreadLimits,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted()
  const thread = new Worker(file, {
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
    const said = await Promise.race([
      once(thread, 'message').then(([message]) => message as Message<Answer>),
      ended.then(() => null),
    ])
    await ended
    if (said !== null) return unwrap(said)
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
