import type { RequestHandler, Response } from 'express'
import type { OperationId } from '@ratecard/contract'
import type { RateLimit } from '../features/metering/rate-limit.ts'
import { reserve, type MeteredEndpoint } from '../features/metering/reserve.ts'
import { Turns, TurnTimeout } from '../features/metering/turns.ts'
import type { Caller } from '../features/entitlements/caller-store.ts'
import { ApiError } from './errors.ts'
import { meteredAs, operations } from './operations/index.ts'
import type { Call, Operation, Services } from './operation.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'

// Less than half of the connections that a process has by default; with the lock time-out a 503 comes within 2.5 s.
const turnOptions = { max: 4, timeoutMs: 1_400 }

/** Runs the operation and sends what it returns. The request has passed every check of its form by now. */
export function runOperation(services: Services): RequestHandler {
  const turns = new Turns(turnOptions)
  return async (req, res) => {
    const { operation, caller, path } = res.locals
    // Else Express would answer 304 to `If-None-Match: *`, for a request that was carried out and counted.
    delete req.headers['if-none-match']
    const call = {
      query: req.query,
      path,
      body: req.body as unknown,
      caller,
      reserve: (db: Services['db']) => reserveFor(res, db, caller, meteredAs[operation.id]),
      setRateLimit: (rateLimit: RateLimit) => setRateLimitHeaders(res, rateLimit),
    }
    // The validator has checked the call against the contract; the types follow from the same contract.
    const run = operations[operation.id] as Operation<OperationId>
    const work = () => run(call as unknown as Call<OperationId>, services)
    const isMetered = caller !== undefined && meteredAs[operation.id] !== null
    const { status, body } = await (isMetered
      ? turns.take(caller.quotaSubject, work).catch(asUnavailable)
      : work())
    res.status(status).json(body)
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof TurnTimeout ? new ApiError('service_unavailable', { cause: error }) : error
}

async function reserveFor(
  res: Response,
  db: Services['db'],
  caller: Caller | undefined,
  endpoint: MeteredEndpoint | null,
): Promise<void> {
  if (!caller || endpoint === null) throw new Error('An operation that is not metered reserved a unit.')
  const { granted, rateLimit, secondsToReset } = await reserve(db, caller, endpoint)
  setRateLimitHeaders(res, rateLimit)
  if (!granted) throw new ApiError('quota_exceeded', { headers: { 'Retry-After': String(secondsToReset) } })
}
