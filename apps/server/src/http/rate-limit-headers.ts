import type { Response } from 'express'
import type { RateLimit } from '../features/metering/rate-limit.ts'

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Topup']

export const rateLimitHeaderNames: readonly string[] = names

export function setRateLimitHeaders(
  res: Response,
  { limit, remaining, resetAtSeconds, topup }: RateLimit,
): void {
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', remaining)
  res.setHeader('X-RateLimit-Reset', resetAtSeconds)
  if (topup) res.setHeader('X-RateLimit-Topup', 'true')
  else res.removeHeader('X-RateLimit-Topup')
}

/** The same for `writeHead`, appended to names and values in turn. */
export function appendRateLimitHeaders(
  head: string[],
  { limit, remaining, resetAtSeconds, topup }: RateLimit,
): void {
  head.push('X-RateLimit-Limit', String(limit))
  head.push('X-RateLimit-Remaining', String(remaining))
  head.push('X-RateLimit-Reset', String(resetAtSeconds))
  if (topup) head.push('X-RateLimit-Topup', 'true')
}

/** A 503 tells no counts: they were not read, or what was reserved is undone. */
export function clearRateLimitHeaders(res: Response): void {
  for (const name of names) res.removeHeader(name)
}
