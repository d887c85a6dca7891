import type { Request, RequestHandler } from 'express'
import type { Db } from '../database/connect.ts'
import { bearerKey, isWellFormedKey } from '@ratecard/contract/api-key'
import { findCaller } from '../features/entitlements/caller-store.ts'
import type { Plans } from '../features/entitlements/plans.ts'
import { rateLimitOf } from '../features/metering/rate-limit.ts'
import { ApiError } from './errors.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

// Credentials and entitlements are checked here and not in the validator, whose security step turns 402, 429
// and 503 into 500 and drops every field of ours from the body.

/** Finds out who calls. Every answer after this step tells the caller's rate limit. */
export function authenticate(db: Db, plans: Plans): RequestHandler {
  return async (req, res, next) => {
    if (res.locals.operation.isPublic) return next()
    const caller = await findCaller(db, readKey(req), plans)
    if (!caller) throw new ApiError('unauthorized')
    res.locals.caller = caller
    setRateLimitHeaders(
      res,
      rateLimitOf({ limit: caller.terms.dailyLimit, planUsed: caller.planUsed, day: caller.day }),
    )
    next()
  }
}

/**
 * The key of the request, which may be anybody's or nobody's.
 * @throws ApiError unauthorized when it cannot be a key of ours: to say so takes no store
 */
export function readKey(req: Request): string {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  const key = more.length > 0 ? null : bearerKey(header)
  if (key === null || !isWellFormedKey(key)) throw new ApiError('unauthorized')
  return key
}

/** Refuses operations that the caller's plan does not include. */
export const entitle: RequestHandler = (_req, res, next) => {
  const { caller, operation } = res.locals
  if (caller && !caller.terms.operations.has(operation.id)) throw new ApiError('forbidden')
  next()
}
