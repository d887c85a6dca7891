import type { Response } from 'express'
import type { RateLimit } from '../../features/metering/rate-limit.ts'

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Topup']

export const rateLimitHeaderNames: readonly string[] = names

/** Names and values in turn, as `writeHead` takes them. */
export function rateLimitHead({ limit, remaining, resetAtSeconds, topup }: RateLimit): string[] {
  const head = ['X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining)]
  head.push('X-RateLimit-Reset', String(resetAtSeconds))
  if (topup) head.push('X-RateLimit-Topup', 'true')
  return head
}

export function setRateLimitHeaders(res: Response, rateLimit: RateLimit): void {
  clearRateLimitHeaders(res)
  const head = rateLimitHead(rateLimit)
  for (let index = 0; index < head.length; index += 2) res.setHeader(head[index]!, head[index + 1]!)
}

/** A 503 states no counts: they were not read, or what was reserved is undone. */
export function clearRateLimitHeaders(res: Response): void {
  for (const name of names) res.removeHeader(name)
}
