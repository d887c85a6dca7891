import createClient, { type Client } from 'openapi-fetch'
import { attemptOnce, type Sendable } from './attempt.ts'
import { RatecardError } from './errors.ts'
import { notify } from './hooks.ts'
import { askedDelayMs, mayBeDone, mayRepeat, retryDelayMs } from './retry.ts'
import { sleep } from './bounded.ts'
import type { paths } from './types.ts'

/** The typed client inside. It builds addresses and bodies; everything from there on is ours. */
export type Inner = Client<paths>

/**
 * What openapi-fetch calls a Request is here a record, so that each attempt can be made anew from it and the `fetch` in
 * use gets a plain address.
 */
function RequestRecord(url: string, { method, body = null, settings }: Omit<Sendable, 'url'>): Sendable {
  return { url, method, body, settings }
}

export function createInner(): Inner {
  return createClient<paths>({
    Request: RequestRecord as unknown as typeof Request,
    fetch: sendWithRetries as unknown as (request: Request) => Promise<Response>,
  })
}

/**
 * Beneath openapi-fetch: sends until there is an answer to keep. The answer has the few properties that openapi-fetch
 * looks at; its `body` is the parsed one, which `parseAs: 'stream'` hands on as it is.
 */
async function sendWithRetries(request: Sendable) {
  const { method, url, settings } = request
  const { signal, timeoutMs, deadlineMs, maxRetries, maxRetryAfterMs } = settings
  const giveUpAt = performance.now() + deadlineMs
  let mayHaveDeleted = false
  for (let attempt = 1; ; attempt++) {
    let error: RatecardError
    try {
      const leftMs = giveUpAt - performance.now()
      const body = await attemptOnce(request, attempt, Math.min(timeoutMs, leftMs), mayHaveDeleted)
      return { ok: true, status: 200, headers: new Map(), body }
    } catch (thrown) {
      if (!(thrown instanceof RatecardError)) throw thrown
      error = thrown
    }
    if (attempt > maxRetries || !mayRepeat(method, error) || askedDelayMs(error) > maxRetryAfterMs)
      throw error
    const delayMs = retryDelayMs(attempt, error)
    // What cannot be tried again in time fails now, with the reason that is known.
    if (performance.now() + delayMs >= giveUpAt) throw error
    mayHaveDeleted ||= method === 'DELETE' && mayBeDone(error)
    notify(settings.hooks?.onRetry, () => ({ method, url, attempt, delayMs, error }))
    await sleep(delayMs, signal, attempt)
  }
}
