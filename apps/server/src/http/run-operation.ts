import type { RequestHandler, Response } from 'express'
import type { OperationId } from '@ratecard/contract'
import type { RateLimit } from '../features/metering/rate-limit.ts'
import { reserve, type MeteredEndpoint } from '../features/metering/reserve.ts'
import type { Caller } from '../features/entitlements/caller-store.ts'
import type { Clock } from '../platform/clock.ts'
import { ApiError } from './errors.ts'
import { meteredAs, operations } from './operations/index.ts'
import type { Call, Operation, Services } from './operation.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

/** Runs the operation and sends what it returns. The request has passed every check of its form by now. */
export function runOperation(services: Services): RequestHandler {
  return async (req, res) => {
    const { operation, caller, path } = res.locals
    const call = {
      query: req.query,
      path,
      body: req.body as unknown,
      caller,
      reserve: (db: Services['db']) => reserveFor(res, db, services.clock, caller, meteredAs[operation.id]),
      setRateLimit: (rateLimit: RateLimit) => setRateLimitHeaders(res, rateLimit),
    }
    // The validator has checked the call against the contract; the types follow from the same contract.
    const run = operations[operation.id] as Operation<OperationId>
    const { status, body } = await run(call as unknown as Call<OperationId>, services)
    res.status(status).json(body)
  }
}

async function reserveFor(
  res: Response,
  db: Services['db'],
  clock: Clock,
  caller: Caller | undefined,
  endpoint: MeteredEndpoint | null,
): Promise<void> {
  if (!caller || endpoint === null) throw new Error('An operation that is not metered reserved a unit.')
  const { granted, rateLimit } = await reserve(db, caller, endpoint)
  setRateLimitHeaders(res, rateLimit)
  if (granted) return
  const secondsLeft = rateLimit.resetAtSeconds - Math.floor(clock.now().getTime() / 1_000)
  throw new ApiError('quota_exceeded', { headers: { 'Retry-After': String(Math.max(1, secondsLeft)) } })
}
