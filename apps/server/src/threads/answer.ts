import { isMainThread, parentPort } from 'node:worker_threads'
import { isDatabaseUnavailable } from '../database/connect.ts'
import { FeatureError, type Refusal } from '../features/feature-error.ts'
import { UserError } from '../platform/user-error.ts'

// What a thread and the process that started it say to each other: that it has begun; then one task, one answer.
// `thread.ts` is the other side.

/** What a thread is told: a task, or to come to an end with the one that it has. */
export type Told<Task> = { task: Task } | 'stop'

/** Errors lose their class on the way: what callers tell apart is told by its kind. */
export type Heard<Answer> =
  | { answer: Answer }
  | { failure: { kind: 'user' | 'database' | 'fault'; message: string } }
  | { failure: { kind: 'refused'; message: string; refusal: Refusal } }

/** A failure that the thread found to be the database's; `isDatabaseUnavailable` knows it by its code. */
class DatabaseFailure extends Error {
  readonly code = 'ECONNRESET'
}

/** In the file of a thread: does its tasks, and says what comes of each. Elsewhere nothing. */
export function answerInThread<Task, Answer>(
  work: (task: Task, signal: AbortSignal) => Promise<Answer>,
): void {
  if (isMainThread || !parentPort) return
  const port = parentPort
  const stopping = new AbortController()
  port.on('message', (told: Told<Task>) => {
    if (told === 'stop') return stopping.abort(new Error('The worker stops.'))
    void work(told.task, stopping.signal)
      .then((answer): Heard<Answer> => ({ answer }), toFailure)
      .then((heard) => port.postMessage(heard))
  })
  port.postMessage('begun')
}

function toFailure(error: unknown): Heard<never> {
  if (error instanceof FeatureError) {
    const { message, refusal } = error
    return { failure: { kind: 'refused', message, refusal } }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof UserError) return { failure: { kind: 'user', message } }
  return { failure: { kind: isDatabaseUnavailable(error) ? 'database' : 'fault', message: stack ?? message } }
}

export function unwrap<Answer>(heard: Heard<Answer>): Answer {
  if ('answer' in heard) return heard.answer
  const { failure } = heard
  if (failure.kind === 'refused') throw new FeatureError(failure.message, failure.refusal)
  if (failure.kind === 'user') throw new UserError(failure.message)
  throw failure.kind === 'database' ? new DatabaseFailure(failure.message) : new Error(failure.message)
}
