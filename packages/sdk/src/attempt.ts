import { apiError } from './api-error.ts'
import { bounded } from './bounded.ts'
import { readConnectionFailure } from './connection-failure.ts'
import { conceal, holds, readApiKey } from './credentials.ts'
import { isBrowser, isUndici7 } from './environment.ts'
import { ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts'
import { readAbout } from './headers.ts'
import { type CallView, type Hooks, notify, redact, notifyAll } from './hooks.ts'
import { findFlaw, type Operation, parseJson } from './operations.ts'
import type { CallSettings, FetchResponse } from './options.ts'
import { version } from './version.ts'

export interface Call {
  /** As it is shown: without the key, wherever that is repeated. */
  readonly view: CallView
  readonly operation: Operation
  readonly url: string
  readonly body: string | null
  readonly settings: CallSettings
  readonly watchers: readonly Hooks[]
  /** How many requests were begun. */
  attempts: number
}

/** A good answer. Its headers are read on demand: most callers want the data alone, and reading takes time. */
export interface Reply<T = unknown> {
  data: T
  response: FetchResponse
}

/**
 * Sends once and reads the whole answer, within `limitMs` and until the signal is aborted. With `goneIsDone` a 404 is a
 * good answer: an earlier attempt of the same DELETE may have done it.
 */
export function attemptOnce(
  call: Call,
  attempt: number,
  limitMs: number,
  goneIsDone: boolean,
): Promise<Reply> {
  const { signal } = call.settings
  const onTime = () =>
    new TimeoutError(`${describe(call)}: no complete answer within ${Math.ceil(limitMs)} ms.`, {
      attempts: attempt,
    })
  return bounded({ ms: limitMs, signal, attempts: signal?.aborted ? attempt - 1 : attempt }, onTime, (own) =>
    exchange(call, attempt, own, goneIsDone),
  ) as Promise<Reply>
}

/** The most of an error's body that is kept. */
const errorBodyBytes = 65_536

async function exchange(
  call: Call,
  attempt: number,
  signal: AbortSignal,
  goneIsDone: boolean,
): Promise<Reply> {
  const { url, body, settings, watchers } = call
  const { method } = call.operation
  // Read late, as a fetch may be replaced after the client was made; called alone, as some refuse a foreign `this`.
  const send = settings.fetch ?? globalThis.fetch

  const key = settings.authenticated ? await readApiKey(settings) : undefined
  // The key may have taken long to come.
  signal.throwIfAborted()
  call.view.url = conceal(url, key)
  const headers = requestHeaders(call, key)
  notifyAll(watchers, 'onRequest', () => {
    return { ...call.view, attempt, headers: redact(new Map(Object.entries(headers)), key) }
  })
  const startedAt = performance.now()

  let response: FetchResponse
  let text: string
  let whole: boolean
  try {
    response = await send(url, { method, headers, body, signal, redirect: 'manual' })
    const maxBytes = response.ok ? settings.maxResponseBytes : errorBodyBytes
    ;({ text, whole } = await readText(response, maxBytes))
  } catch (cause) {
    const { reason, ...known } = readConnectionFailure(cause)
    throw new ConnectionError(conceal(`${describe(call)}: ${reason}.`, key), {
      ...known,
      cause: holds(cause, key) ? undefined : cause,
      attempts: attempt,
    })
  }

  // A fetch that ignores the signal may come back after the call has ended. Then it must not be reported any more.
  signal.throwIfAborted()

  const { ok, status, headers: received } = response
  const about = () => {
    const { rateLimit, requestId } = readAbout(received)
    return { status, rateLimit, requestId: requestId && conceal(requestId, key) }
  }
  notifyAll(watchers, 'onResponse', () => {
    const durationMs = performance.now() - startedAt
    return { ...call.view, attempt, ...about(), headers: redact(received, key), durationMs }
  })
  const rateLimit = settings.onRateLimit && about().rateLimit
  if (rateLimit) notify(settings.onRateLimit, () => rateLimit)

  if (goneIsDone && status === 404) return { data: { success: true }, response }
  const data = ok && whole ? parseJson(text) : undefined
  const flaw = findFlaw(data, call.operation)
  if (ok && flaw === undefined) return { data, response }

  // What the other side sends back may repeat what it was sent.
  const said = { ...about(), attempts: attempt, body: conceal(text, key) }
  if (status >= 400) throw apiError(said, received)
  const why = !ok
    ? 'is a redirect, which is not followed. Check the option baseUrl.'
    : whole
      ? `is not one of Ratecard: it ${flaw}. Check the option baseUrl.`
      : `is longer than ${settings.maxResponseBytes} bytes, which the option maxResponseBytes can raise.`
  throw new InvalidResponseError(`${describe(call)}: the answer ${why}`, said)
}

function requestHeaders(
  { body, operation, settings }: Call,
  key: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  // Browsers name themselves, and asking for leave to change that would cost a preflight its success.
  if (!isBrowser()) headers['user-agent'] = `ratecard-sdk-js/${version}`
  // No other answers are so long.
  if (operation.path === '/v1/changes' && isUndici7()) headers['accept-encoding'] = 'identity'
  if (body !== null) headers['content-type'] = 'application/json'
  Object.assign(headers, settings.headers)
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`
  return headers
}

/** The part of a web stream that reading needs. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array }>
  cancel(): Promise<void>
}

/**
 * Reads the body of an answer, at most so many bytes of it. It is not `whole` when there was more: the rest was not read,
 * and the body was cancelled.
 */
async function readText(response: FetchResponse, maxBytes: number) {
  const body = response.body as { getReader?: () => Reader } | null | undefined
  if (!body?.getReader) {
    // A `fetch` of another kind. Its text has been read whole before it can be measured.
    const text = await response.text()
    return { text: text.slice(0, maxBytes), whole: text.length <= maxBytes }
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let left = maxBytes; ;) {
    const { value } = await reader.read()
    if (value === undefined) return { text: text + decoder.decode(), whole: true }
    text += decoder.decode(value.subarray(0, left), { stream: true })
    left -= value.byteLength
    if (left < 0) {
      reader.cancel().catch(() => {})
      return { text, whole: false }
    }
  }
}

/** Method and address without the query, which may be long. */
function describe({ view: { method, url } }: Call): string {
  return `${method} ${url.split('?', 1)[0]}`
}
