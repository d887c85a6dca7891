import { ConfigurationError, RatecardError, RateLimitError } from './errors.ts'
import type { Page } from './list.ts'
import { askedDelayMs } from './retry.ts'
import { sleep } from './bounded.ts'

/** How to follow a list that grows. */
export interface FollowOptions {
  /** Where to begin: the checkpoint told last, a Date, or an RFC 3339 instant with an offset. With everything when left out. */
  since?: Date | string | undefined
  /** Pause between two rounds. 60,000 when left out. */
  intervalMs?: number | undefined
  /** Ends the iteration with `RequestAbortedError`, whatever it is doing. */
  signal?: AbortSignal | undefined
  /** End after one round. */
  once?: boolean | undefined
  /**
   * Told how far you are: a text to store and to pass as `since` next time. It covers rows that you have taken, that is
   * to say, asked for the row after them. It is awaited, and when it fails, the iteration fails with its error.
   */
  onCheckpoint?: ((checkpoint: string) => unknown) | undefined
}

/** What is followed, and in which manner. */
export interface Followed<T> {
  /** Gets the first page of a round. */
  load: (since: Date | string | undefined) => Promise<Page<T>>
  idOf: (row: T) => string
  /** Collect each round and give its rows oldest first; else give them page by page as they come, newest first. */
  oldestFirst: boolean
  /** Told each pause after a failure. */
  onRetry: (attempt: number, delayMs: number, error: RatecardError) => void
}

const checkpointEvery = 100
const longestBackoffMs = 60_000

export async function* follow<T extends { updated_at: string }>(
  { load, idOf, oldestFirst, onRetry }: Followed<T>,
  { since, intervalMs = 60_000, signal, once, onCheckpoint }: FollowOptions,
): AsyncGenerator<T, void> {
  if (!(intervalMs > 0)) throw new ConfigurationError('intervalMs must be a number above 0.')
  // `since` includes its instant, so the rows of that instant come again with the next round.
  let known = new Set<string>()
  let checkpoint = ''
  let told = ''
  const tell = async () => {
    if (checkpoint !== told) await onCheckpoint?.((told = checkpoint))
  }

  const patiently = async <R>(load: () => Promise<R>): Promise<R> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await load()
      } catch (error) {
        if (!(error instanceof RatecardError && (error.retryable || error instanceof RateLimitError)))
          throw error
        const delayMs = patienceMs(attempt, error)
        onRetry(attempt, delayMs, error)
        await sleep(delayMs, signal, error.attempts)
      }
    }
  }

  for (;;) {
    const round = new Map<string, T>()
    let newest = ''
    let newestKeys = new Set<string>()
    let page: Page<T> | undefined = await patiently(() => load(checkpoint || since))
    while (page !== undefined) {
      for (const row of page.data) {
        const key = `${row.updated_at} ${idOf(row)}`
        if (row.updated_at > newest) {
          newest = row.updated_at
          newestKeys = new Set()
        }
        if (row.updated_at === newest) newestKeys.add(key)
        if (known.has(key)) continue
        if (oldestFirst) round.set(key, row)
        else yield row
      }
      page = await patiently(page.next)
    }

    let taken = 0
    try {
      // A key begins with the time of its row.
      for (const key of [...round.keys()].sort()) {
        const row = round.get(key) as T
        yield row
        checkpoint = row.updated_at
        if (++taken % checkpointEvery === 0) await tell()
      }
    } finally {
      // Also when the consumer leaves: the rows before the one in hand were taken.
      await tell()
    }
    if (newest) {
      known = newestKeys
      checkpoint = newest
      await tell()
    }
    if (once) return
    await sleep(intervalMs, signal)
  }
}

/** As long as the server asks; with a used-up quota until it starts again; else growing pauses. */
function patienceMs(attempt: number, error: RatecardError): number {
  const backoffMs = Math.min(longestBackoffMs, 1000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  const resetAt = error instanceof RateLimitError && !error.retryable ? error.rateLimit?.resetAt : undefined
  const askedMs = askedDelayMs(error) || (resetAt ? resetAt.getTime() - Date.now() : 0)
  return Math.ceil(Math.max(backoffMs, askedMs))
}
