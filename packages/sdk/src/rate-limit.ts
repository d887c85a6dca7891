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

/** What the headers of any answer say about it. */
export function readAbout(headers: HeaderReader): About {
  const limit = readNumber(headers, 'x-ratelimit-limit')
  const remaining = readNumber(headers, 'x-ratelimit-remaining')
  const reset = readNumber(headers, 'x-ratelimit-reset')
  const topup = headers.get('x-ratelimit-topup') === 'true'
  const about: About = { requestId: headers.get('x-request-id') ?? undefined, rateLimit: undefined }
  if (limit !== undefined && remaining !== undefined)
    about.rateLimit = {
      limit,
      remaining,
      resetAt: reset === undefined ? null : new Date(reset * 1000),
      topup,
    }
  return about
}

interface About {
  requestId: string | undefined
  rateLimit: RateLimit | undefined
}
