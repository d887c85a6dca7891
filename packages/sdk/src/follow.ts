import { sleep } from './bounded.ts'
import { Position } from './checkpoint.ts'
import { ConfigurationError, InvalidResponseError, RatecardError, RateLimitError } from './errors.ts'
import type { Page } from './list.ts'
import { askedDelayMs } from './retry.ts'

/** How to follow a list that grows. */
export interface FollowOptions {
  /**
   * Where to begin: the checkpoint reported last, a Date, or an RFC 3339 instant with an offset. A Date or an instant is
   * included, with all of its rows; a checkpoint is not. With everything when left out.
   */
  since?: Date | string | undefined
  /** Pause between two rounds. 60,000 when left out. */
  intervalMs?: number | undefined
  /** Ends the iteration with `RequestAbortedError`, whatever it is doing. */
  signal?: AbortSignal | undefined
  /** End after one round. */
  once?: boolean | undefined
  /**
   * Called with your position: a text to store as it is and to pass as `since` next time, with the same filters. Nothing that
   * it covers comes again unless it moves. It covers rows that you have taken, that is to say, asked for the row after
   * them. It is awaited, and when it fails, the iteration fails with its error.
   */
  onCheckpoint?: ((checkpoint: string) => unknown) | undefined
}

/** What is followed, and in which manner. */
export interface Followed<T> {
  /** Gets the first page of a round. */
  load: (since: Date | string | undefined) => Promise<Page<T>>
  pickId: (row: T) => string
  /** Collect each round and give its rows oldest first; else give them page by page as they come, newest first. */
  oldestFirst: boolean
  /** Called before each pause after a failure. */
  onRetry: (attempt: number, delayMs: number, error: RatecardError) => void
}

const checkpointEvery = 100
const longestBackoffMs = 60_000

export async function* follow<T extends { updated_at: string }>(
  { load, pickId, oldestFirst, onRetry }: Followed<T>,
  { since, intervalMs = 60_000, signal, once, onCheckpoint }: FollowOptions,
): AsyncGenerator<T, void> {
  if (!(intervalMs > 0)) throw new ConfigurationError('intervalMs must be a number above 0.')
  let position = new Position(since)
  let reported = String(position)
  const reportCheckpoint = async () => {
    const checkpoint = String(position)
    if (checkpoint !== reported) await onCheckpoint?.((reported = checkpoint))
  }
  // Rows that are there would be given on for long after an abort.
  const heed = () => (signal?.aborted ? sleep(0, signal) : undefined)

  let hasServed = false
  const patiently = async <R>(load: () => Promise<R>): Promise<R> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const page = await load()
        hasServed = true
        return page
      } catch (error) {
        if (!mayPass(error, hasServed)) throw error
        const delayMs = patienceMs(attempt, error)
        onRetry(attempt, delayMs, error)
        await sleep(delayMs, signal, error.attempts)
      }
    }
  }

  for (;;) {
    const round = new Map<string, T>()
    const reached = new Position(String(position) || since)
    let page: Page<T> | undefined = await patiently(() => load(position.since))
    while (page !== undefined) {
      for (const row of page.data) {
        const { updated_at } = row
        const id = pickId(row)
        if (position.has(updated_at, id)) continue
        if (oldestFirst) round.set(`${updated_at} ${id}`, row)
        else {
          await heed()
          yield row
          reached.take(updated_at, id)
        }
      }
      page = await patiently(page.next)
    }
    if (!oldestFirst) position = reached

    let taken = 0
    try {
      // A key begins with the time of its row.
      for (const key of [...round.keys()].sort()) {
        const row = round.get(key) as T
        await heed()
        yield row
        position.take(row.updated_at, pickId(row))
        if (++taken % checkpointEvery === 0) await reportCheckpoint()
      }
    } finally {
      // Also when the consumer leaves: the rows before the one in hand were taken.
      await reportCheckpoint()
    }
    if (once) return
    await sleep(intervalMs, signal)
  }
}

/**
 * Whether waiting may help: with outages and a used-up quota; and with answers that are not Ratecard's, such as those of
 * a maintenance page, but only from a server that has answered before, as the base URL may be wrong.
 */
function mayPass(error: unknown, hasServed: boolean): error is RatecardError {
  if (error instanceof InvalidResponseError) return hasServed && error.status !== undefined
  return error instanceof RatecardError && (error.retryable || error instanceof RateLimitError)
}

/** As long as the server asks; with a used-up quota until it starts again; else growing pauses. */
function patienceMs(attempt: number, error: RatecardError): number {
  const backoffMs = Math.min(longestBackoffMs, 1000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  const resetAt = error instanceof RateLimitError && !error.retryable ? error.rateLimit?.resetAt : undefined
  const askedMs = askedDelayMs(error) || (resetAt ? resetAt.getTime() - Date.now() : 0)
  return Math.ceil(Math.max(backoffMs, askedMs))
}
