import { type HeaderReader, readNumber } from './header-reader.ts'

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

export function readRateLimit(headers: HeaderReader): RateLimit | undefined {
  const limit = readNumber(headers, 'x-ratelimit-limit')
  const remaining = readNumber(headers, 'x-ratelimit-remaining')
  if (limit === undefined || remaining === undefined) return undefined
  const reset = readNumber(headers, 'x-ratelimit-reset')
  return {
    limit,
    remaining,
    resetAt: reset === undefined ? null : new Date(reset * 1000),
    topup: headers.get('x-ratelimit-topup') === 'true',
  }
}
