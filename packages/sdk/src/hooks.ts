import type { RatecardError } from './errors.ts'
import type { RateLimit } from './rate-limit.ts'

/** A request about to be sent. */
export interface RequestView {
  method: string
  url: string
  /** Counts from 1. */
  attempt: number
  /** What is sent; credentials read `[redacted]`. */
  headers: Record<string, string>
}

/** An answer that came, good or bad, with its body read. */
export interface ResponseView {
  method: string
  url: string
  attempt: number
  status: number
  /** What came; cookies read `[redacted]`. */
  headers: Record<string, string>
  requestId: string | undefined
  rateLimit: RateLimit | undefined
  /** From sending to the end of the body. */
  durationMs: number
}

/** A pause before the next attempt. */
export interface RetryView {
  method: string
  url: string
  /** The attempt that failed. */
  attempt: number
  /** How long the pause is. */
  delayMs: number
  /** Why. */
  error: RatecardError
}

/** Functions that watch. They change nothing, and what they throw is ignored. */
export interface Hooks {
  onRequest?: ((view: RequestView) => void) | undefined
  onResponse?: ((view: ResponseView) => void) | undefined
  onRetry?: ((view: RetryView) => void) | undefined
}

/** Calls a watching function so that nothing it does can break the call. */
export function notify<View>(hook: ((view: View) => unknown) | undefined, view: () => View): void {
  if (hook === undefined) return
  try {
    const result = hook(view())
    // An async hook may reject later, which would end the process.
    if (result instanceof Promise) result.catch(() => {})
  } catch {
    // By promise of the interface.
  }
}

const sensitive = /authorization|cookie|api-?key|secret|token/i

/** Headers as they may be shown. */
export function redact(headers: {
  forEach(each: (value: string, name: string) => void): void
}): Record<string, string> {
  const view: Record<string, string> = {}
  headers.forEach((value, name) => (view[name] = sensitive.test(name) ? '[redacted]' : value))
  return view
}
