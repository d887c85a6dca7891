import type { RequestHandler } from 'express'
import { readKey } from './authenticate.ts'
import { ApiError } from './errors.ts'
import type { Metrics } from '../platform/metrics.ts'

// Far beyond what ten database connections serve in a second: whoever waits behind so many would time out.
const inFlightMax = 1_000

/** What every request needs before it is let in: a database with our schema, and fewer others than the limit. */
export function shedLoad(isReady: () => boolean, metrics: Metrics): RequestHandler {
  let inFlight = 0
  return (req, res, next) => {
    if (res.locals.operation.isPublic) return next()
    // 401 comes before 503: who sends no key at all learns that even while the database is away.
    readKey(req)
    if (inFlight >= inFlightMax)
      throw new ApiError('service_unavailable', { cause: new Error('too many requests in flight') })
    if (!isReady())
      throw new ApiError('service_unavailable', { cause: new Error('the database is not ready') })
    inFlight += 1
    metrics.requestsInFlight.inc()
    res.once('close', () => {
      inFlight -= 1
      metrics.requestsInFlight.dec()
    })
    next()
  }
}
