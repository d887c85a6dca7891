import { conceal } from './credentials.ts'
import type { RatecardError } from './errors.ts'
import type { RateLimit } from './headers.ts'
import type { OperationId } from './operations.ts'

/** The call that a view is about. All views of one call have the same. */
export interface CallView {
  /** Names the call. Every attempt of it, and every page of a list, is found by it. */
  callId: string
  /** What is called, by its name in the contract: `listPrices`, `getUsage` and so on. */
  operation: OperationId
  method: string
  url: string
}

/** A request about to be sent. */
export interface RequestView extends CallView {
  /** Counts from 1. */
  attempt: number
  /** What is sent; credentials read `[redacted]`. */
  headers: Record<string, string>
}

/** An answer that came, good or bad, with its body read. */
export interface ResponseView extends CallView {
  attempt: number
  status: number
  /** What came; cookies read `[redacted]`, and so does the key where it is repeated. */
  headers: Record<string, string>
  requestId: string | undefined
  rateLimit: RateLimit | undefined
  /** From sending to the end of the body. */
  durationMs: number
}

/** A pause before the next attempt. */
export interface RetryView extends CallView {
  /** The attempt that failed. */
  attempt: number
  /** How long the pause is. */
  delayMs: number
  /** Why. */
  error: RatecardError
}

/** A call that is over, however it went: answered, refused, broken, timed out, aborted or never sent. */
export interface EndView extends Omit<CallView, 'url'> {
  /** Undefined when the call failed before its address was known. */
  url: string | undefined
  outcome: 'success' | 'error'
  /** The status of the last answer; undefined when none came. */
  status: number | undefined
  /** How many requests were sent. */
  attempts: number
  /** From the call to its end, pauses included. */
  durationMs: number
  /** Why it failed; undefined when it did not. */
  error: RatecardError | undefined
}

/** Functions that watch. They change nothing, and what they throw is ignored. */
export interface Hooks {
  onRequest?: ((view: RequestView) => void) | undefined
  onResponse?: ((view: ResponseView) => void) | undefined
  onRetry?: ((view: RetryView) => void) | undefined
  /** Called once for every call, last. */
  onEnd?: ((view: EndView) => void) | undefined
}

/** Calls a hook. Its failure does not break the call. */
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

/** Notifies all watchers. A view is made only for a watcher that has this hook. */
export function notifyAll<Name extends keyof Hooks>(
  watchers: readonly Hooks[],
  name: Name,
  view: () => Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  for (const watcher of watchers) notify(watcher[name] as ((view: unknown) => void) | undefined, view)
}

const sensitive = /authorization|cookie|api-?key|secret|token/i

/** Headers as they may be shown. */
export function redact(
  headers: { forEach(each: (value: string, name: string) => void): void },
  key?: string,
): Record<string, string> {
  const view: Record<string, string> = {}
  headers.forEach((value, name) => {
    view[name] = sensitive.test(name) ? '[redacted]' : conceal(value, key)
  })
  return view
}
