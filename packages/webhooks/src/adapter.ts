import { WebhookVerificationError } from './error.ts'
import type { ReadOptions, VerifyOptions } from './types.ts'

/** Bounds for reading a body. */
export interface BodyBounds extends ReadOptions {
  /** Timeout of an incomplete body, in milliseconds. Default: 10,000. */
  bodyTimeoutMs?: number | undefined
}

/** Options of every adapter: those of `verify`, bounds, and a function that reports. */
export type AdapterOptions = VerifyOptions &
  BodyBounds & {
    /**
     * Called with everything that was refused: log it, `hint` says what to do. Without it the console gets each cause
     * once an hour, and never a request without a signature.
     */
    onError?: ((error: unknown) => void) | undefined
  }

/** An answer, independent of a framework. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** The body that the sender gets. It contains nothing that depends on the secret or on your set-up. */
export function answerTo(error: WebhookVerificationError): Answer {
  const { status, code, message, hint } = error
  // This hint is the same for every request. Its reader is trying the endpoint for the first time.
  const text = code === 'body_parsed' && hint ? `${message}. ${hint}` : message
  return answer(status, code, text)
}

/** The answer to anything but POST. */
export const methodNotAllowed = answer(405, 'method_not_allowed', 'Send a POST request', { allow: 'POST' })

function answer(status: number, error: string, message: string, headers?: Answer['headers']): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ error, message, status }),
  }
}

/** Throws when an adapter is made without options or a handler, which is earlier than at its first delivery. */
export function checkUse(options: unknown, handler: unknown): void {
  if (typeof options !== 'object' || options === null || typeof handler !== 'function')
    throw new TypeError(
      'ratecardWebhook(options, handler): pass an object such as { secret } and a function that gets the event',
    )
}

const saidAtMs = new Map<string, number>()
const againAfterMs = 3_600_000

/** Calls the options' `onError`, or else logs each cause once an hour: a stranger cannot fill the log. */
export function report(error: unknown, { onError }: AdapterOptions): void {
  if (onError) return onError(error)
  if (!(error instanceof WebhookVerificationError)) return console.error(error)
  const { code, status, message, hint = message } = error
  // Scanners send no signature, and a repetition is normal.
  if (code === 'missing_signature' || code === 'replayed') return
  const cause = `${code}: ${hint}`
  const nowMs = Date.now()
  if (nowMs - (saidAtMs.get(cause) ?? -Infinity) < againAfterMs) return
  if (saidAtMs.size > 99) saidAtMs.clear()
  saidAtMs.set(cause, nowMs)
  const line = `@ratecard/webhooks answered ${status}, ${cause} (said once an hour; onError is told of each)`
  if (status === 500) console.error(line)
  else console.warn(line)
}
