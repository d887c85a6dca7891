import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { bearerKey, isWellFormedKey } from '@ratecard/contract/api-key'
import { hashApiKey } from '../../features/accounts/api-key.ts'
import { findCaller } from '../../features/entitlements/caller-store.ts'
import { toRateLimit } from '../../features/metering/rate-limit.ts'
import { ApiError } from './errors.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import type { RefuseKey } from './refuse-key.ts'
import { enterGate, type Gate } from './shed.ts'

// Credentials and entitlements are checked here and not in the validator, whose security step turns 402, 429
// and 503 into 500 and drops every field of ours from the body.

/** Lets a request in and finds its caller. Every answer after this step states the caller's rate limit. */
export function authenticate(db: Db, gate: Gate, refuseKey: RefuseKey): RequestHandler {
  return async (req, res, next) => {
    if (res.locals.operation.isPublic) return next()
    const [header = '', ...more] = req.headersDistinct.authorization ?? []
    const key = more.length > 0 ? null : bearerKey(header)
    // 401 comes before 503: a client that sends no key of ours learns that even while the database is away.
    if (key === null || !isWellFormedKey(key)) throw new ApiError('unauthorized')
    enterGate(gate, res)
    const caller = await findCaller(db, key)
    if (!caller) {
      // It may be a key that has ended, whose account is to see that it is still in use.
      const keyHash = hashApiKey(key)
      res.locals.refusedKeyHash = keyHash.toString('hex')
      throw await refuseKey(keyHash)
    }
    res.locals.caller = caller
    setRateLimitHeaders(
      res,
      toRateLimit({ limit: caller.terms.dailyLimit, planUsed: caller.planUsed, day: caller.day }),
    )
    next()
  }
}

/** Refuses operations that the caller's plan, or the scope of their key, does not include. */
export const entitle: RequestHandler = (_req, res, next) => {
  const { caller, operation } = res.locals
  if (!caller || caller.terms.operations.has(operation.id)) return next()
  throw new ApiError('forbidden', caller.scope === 'prices' ? { message: forPricesOnly } : {})
}

const forPricesOnly = 'This key is for prices only. Use a key for everything that your plan includes.'
