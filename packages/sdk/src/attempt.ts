import { apiError } from './api-error.ts'
import { bounded } from './bounded.ts'
import { conceal, holds, readApiKey } from './credentials.ts'
import { isBrowser } from './environment.ts'
import { ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts'
import { notify, redact } from './hooks.ts'
import type { CallSettings, FetchResponse } from './options.ts'
import { readAbout } from './rate-limit.ts'
import { neverConnected } from './retry.ts'
import { version } from './version.ts'

/** A request that may be sent several times. */
export interface Sendable {
  readonly url: string
  readonly method: string
  readonly body: string | null
  readonly settings: CallSettings
}

/** A good answer. Its headers are read when somebody asks: most callers want the data alone, and reading takes time. */
export interface Reply<T = unknown> {
  data: T
  response: FetchResponse
}

/**
 * Sends once and reads the whole answer, within `limitMs` and until the signal is aborted. With `goneIsDone` a 404 is a
 * good answer: an earlier attempt of the same DELETE may have done it.
 */
export function attemptOnce(
  request: Sendable,
  attempt: number,
  limitMs: number,
  goneIsDone: boolean,
): Promise<Reply> {
  const { signal } = request.settings
  const onTime = () =>
    new TimeoutError(`${describe(request)}: no complete answer within ${Math.ceil(limitMs)} ms.`, {
      attempts: attempt,
    })
  return bounded({ ms: limitMs, signal, attempts: signal?.aborted ? attempt - 1 : attempt }, onTime, (own) =>
    exchange(request, attempt, own, goneIsDone),
  ) as Promise<Reply>
}

async function exchange(
  request: Sendable,
  attempt: number,
  signal: AbortSignal,
  goneIsDone: boolean,
): Promise<Reply> {
  const { url, method, body, settings } = request
  const { hooks, onRateLimit } = settings
  // Late, so that a fetch replaced after the client was made is the one called; alone, as some refuse a foreign `this`.
  const send = settings.fetch ?? globalThis.fetch

  const key = settings.authenticated ? await readApiKey(settings) : undefined
  // The key may have taken long to come.
  signal.throwIfAborted()
  const headers = requestHeaders(request, key)
  const view = { method, url, attempt }
  notify(hooks?.onRequest, () => ({ ...view, headers: redact(new Map(Object.entries(headers))) }))
  const startedAt = performance.now()

  let response: FetchResponse
  let text: string
  try {
    response = await send(url, { method, headers, body, signal, redirect: 'manual' })
    text = await response.text()
  } catch (cause) {
    throw new ConnectionError(`${describe(request)}: the connection failed.`, {
      cause: holds(cause, key) ? undefined : cause,
      attempts: attempt,
      mayHaveArrived: !neverConnected(cause),
    })
  }

  const { ok, status, headers: received } = response
  notify(hooks?.onResponse, () => ({
    ...view,
    status,
    ...readAbout(received),
    headers: redact(received),
    durationMs: performance.now() - startedAt,
  }))
  const rateLimit = onRateLimit && readAbout(received).rateLimit
  if (rateLimit) notify(onRateLimit, () => rateLimit)

  const data = goneIsDone && status === 404 ? { success: true } : ok && parse(text)
  if (typeof data === 'object' && data !== null) return { data, response }

  // What the other side sends back may repeat what it was sent.
  const said = { status, ...readAbout(received), attempts: attempt, body: conceal(text, key) }
  if (status >= 400) throw apiError(said, received)
  const why = ok ? 'not JSON' : 'a redirect, which is not followed'
  throw new InvalidResponseError(
    `${describe(request)}: the answer is ${why}. Check the option baseUrl.`,
    said,
  )
}

function requestHeaders({ body, settings }: Sendable, key: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  // Browsers name themselves, and asking for leave to change that would cost a preflight its success.
  if (!isBrowser()) headers['user-agent'] = `ratecard-sdk-js/${version}`
  if (body !== null) headers['content-type'] = 'application/json'
  Object.assign(headers, settings.headers)
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`
  return headers
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Method and address without the query, which may be long. */
function describe({ method, url }: Sendable): string {
  return `${method} ${url.split('?', 1)[0]}`
}
