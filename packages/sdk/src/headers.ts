/** Where the daily quota of the key stood when the response was made. */
export interface RateLimit {
  /** Requests per UTC day of the plan. */
  limit: number
  /** What is left of the daily quota. Top-up packs are not counted in; `client.usage.get()` tells them. */
  remaining: number
  /** When the daily quota starts again; null when the server did not say. */
  resetAt: Date | null
  /** Whether a top-up pack, not the daily quota, paid for this request. */
  topup: boolean
}

/** The part of `Headers` that reading needs. */
export interface HeaderReader {
  get(name: string): string | null
}

/** A header that is a plain decimal, not negative; undefined when it is absent or anything else. */
function readNumber(headers: HeaderReader, name: string): number | undefined {
  const text = headers.get(name) ?? ''
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** What the headers of any answer say about it. */
export function readAbout(headers: HeaderReader) {
  const limit = readNumber(headers, 'x-ratelimit-limit')
  const remaining = readNumber(headers, 'x-ratelimit-remaining')
  const reset = readNumber(headers, 'x-ratelimit-reset')
  const resetAt = reset === undefined ? null : new Date(reset * 1000)
  const topup = headers.get('x-ratelimit-topup') === 'true'
  const isKnown = limit !== undefined && remaining !== undefined
  const rateLimit: RateLimit | undefined = isKnown ? { limit, remaining, resetAt, topup } : undefined
  return { requestId: headers.get('x-request-id') ?? undefined, rateLimit }
}

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
