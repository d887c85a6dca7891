import { createFinalURL } from 'openapi-fetch'
import { attemptOnce, type Call, type Reply } from './attempt.ts'
import { sleep } from './bounded.ts'
import { RatecardError } from './errors.ts'
import { notifyAll } from './hooks.ts'
import { askedDelayMs, mayBeDone, mayRepeat, retryDelayMs } from './retry.ts'

/** What a call puts into an operation. */
export interface Parts {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean>
  /** Sent as JSON. */
  body?: object
}

/** openapi-fetch puts addresses together. Sending is ours: its client neither retries nor bounds anything. */
export function buildAddress(baseUrl: string, path: string, params: Pick<Parts, 'path' | 'query'>): string {
  return createFinalURL(path, { baseUrl, params, querySerializer, pathSerializer })
}

// Its input has plain values alone: the serializers of arrays and objects need not be bundled.

function querySerializer(query: object): string {
  return Object.entries(query)
    .map((entry) => entry.map(encodeURIComponent).join('='))
    .join('&')
}

function pathSerializer(address: string, values: Record<string, unknown>): string {
  return address.replace(/{(\w+)}/, (_, name: string) => encodeURIComponent(values[name] as string))
}

/** Sends until there is an answer to keep, or an error that trying again cannot mend. */
export async function sendWithRetries(call: Call): Promise<Reply> {
  const { settings, view, watchers } = call
  const { signal, timeoutMs, deadlineMs, maxRetries, maxRetryAfterMs } = settings
  const giveUpAt = performance.now() + deadlineMs
  let mayHaveDeleted = false
  for (let attempt = 1; ; attempt++) {
    call.attempts = attempt
    let error: RatecardError
    try {
      const leftMs = giveUpAt - performance.now()
      return await attemptOnce(call, attempt, Math.min(timeoutMs, leftMs), mayHaveDeleted)
    } catch (thrown) {
      if (!(thrown instanceof RatecardError)) throw thrown
      error = thrown
    }
    if (attempt > maxRetries || !mayRepeat(view.method, error) || askedDelayMs(error) > maxRetryAfterMs)
      throw error
    const delayMs = retryDelayMs(attempt, error)
    // What cannot be tried again in time fails now, with the reason that is known.
    if (performance.now() + delayMs >= giveUpAt) throw error
    mayHaveDeleted ||= view.method === 'DELETE' && mayBeDone(error)
    notifyAll(watchers, 'onRetry', () => ({ ...view, attempt, delayMs, error }))
    await sleep(delayMs, signal, attempt)
  }
}
