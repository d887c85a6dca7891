import { type HeaderReader, readNumber } from './header-reader.ts'

/**
 * How long the server asks to wait, in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as a date.
 * Undefined when it does not ask, or not in a form that can be read.
 */
export function readRetryAfter(headers: HeaderReader): number | undefined {
  const asked = readNumber(headers, 'retry-after-ms') ?? (readNumber(headers, 'retry-after') ?? NaN) * 1000
  if (asked >= 0) return Math.ceil(asked)
  const text = headers.get('retry-after') ?? ''
  // Engines read nearly anything as a date, "-5" too; an HTTP date begins with the name of a day.
  const until = /^[a-z]{3}/i.test(text) ? Date.parse(text) : NaN
  // The clock that named the instant is the server's, so the span is measured with that clock when the answer has it.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return until ? Math.max(0, until - now) : undefined
}
