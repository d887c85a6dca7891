import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, RequestHandler } from 'express'
import { RateLimiter, type RateLimiterOptions } from '../../platform/rate-limiter.ts'
import { ApiError } from './errors.ts'
import { NotLetIn } from './shed.ts'

interface PaceOptions extends RateLimiterOptions {
  /** How long a request waits for its turn at most; it is refused where that would be longer. */
  waitMsMax: number
}

/** Lets the requests of a key go on at a pace: the others wait their turn, which costs nothing but a timer. */
export function atPace(
  { waitMsMax, ...options }: PaceOptions,
  pickKey: (req: Request) => string,
): RequestHandler {
  const rate = new RateLimiter(options)
  return async (req, _res, next) => {
    const waitMs = rate.takeTurn(pickKey(req), waitMsMax)
    if (waitMs === null) {
      throw new ApiError('service_unavailable', { cause: new NotLetIn('too many pages a second') })
    }
    if (waitMs > 0) await sleep(waitMs)
    next()
  }
}
