import { WebhookVerificationError } from './error.ts'
import type { ReadOptions, VerifyOptions } from './types.ts'

/** Bounds for reading a body. */
export interface BodyBounds extends ReadOptions {
  /** Give up a body that is not complete after so many milliseconds. 10,000 unless told. */
  bodyTimeoutMs?: number | undefined
}

/** Options of every adapter: those of `verify`, bounds, and a place to report to. */
export type AdapterOptions = VerifyOptions &
  BodyBounds & {
    /**
     * Told of what was refused: log it, `hint` says what to do. Unless told, what only you
     * can mend (status 500) goes to `console.error`.
     */
    onError?: ((error: unknown) => void) | undefined
  }

/** An answer in terms of no framework. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** What the sender is told. Nothing that depends on the secret or on your set-up. */
export function answerTo(error: WebhookVerificationError): Answer {
  const { status, code, message, hint } = error
  // This hint is the same for everyone, and its reader is the one who tries the endpoint for the first time.
  const text = code === 'body_parsed' && hint ? `${message}. ${hint}` : message
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: code, message: text, status }),
  }
}

/** The answer to anything but POST. */
export const methodNotAllowed: Answer = {
  status: 405,
  headers: { 'content-type': 'application/json; charset=utf-8', allow: 'POST' },
  body: JSON.stringify({ error: 'method_not_allowed', message: 'Send a POST request', status: 405 }),
}

/** Tells the options' `onError`. */
export function report(error: unknown, { onError }: AdapterOptions): void {
  if (onError) onError(error)
  else if (!(error instanceof WebhookVerificationError) || error.status === 500) console.error(error)
}
