import type { RequestHandler, Response } from 'express'
import type { OperationId } from '@ratecard/contract'
import type { Trx } from '../../database/connect.ts'
import { meteredAs } from '@ratecard/contract/plans'
import type { Caller } from '../../features/entitlements/caller-store.ts'
import { plansWhere } from '../../features/entitlements/plans.ts'
import type { UnitRequest, UnitVerdict, Verdict } from '../../features/metering/meter.ts'
import type { RateLimit } from '../../features/metering/rate-limit.ts'
import { KeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { atATime } from '../limits/index.ts'
import type { AnswerCheck } from '../contract/answer-check.ts'
import * as implemented from '../operations/index.ts'
import type { Call, Operation, Operations, Services } from './operation.ts'
import type { ListCache } from '../lists/list-cache.ts'
import type { ListQuery } from '../lists/list-query.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import type { RefuseKey } from './refuse-key.ts'
import { toRefusal } from './verdict.ts'
import type { KnownRequests } from '../lists/known-requests.ts'
import { sendResult } from './send-result.ts'

/** A missing, misspelled or wrongly answering operation does not compile. */
const operations: Operations = implemented

export interface RunOptions {
  services: Services
  checkAnswer: AnswerCheck<OperationId>
  lists: ListCache
  /** Learns requests that may be recognised when they come again. */
  known: KnownRequests
  refuseKey: RefuseKey
}

/** Runs the operation and sends what it returns. The request has passed every check of its form by now. */
export function runOperation(options: RunOptions): RequestHandler {
  const { services, checkAnswer, lists, known } = options
  const writes = new KeyedSemaphore(atATime.apiWritesOfAccount)
  return async (req, res) => {
    const { operation, caller, query, path, target } = res.locals
    const unit = (version: string | null = null) => unitFor(operation.id, caller, version)
    const accept = async (verdict: Verdict) => {
      // The key has ended since it was found, or its account is on its way to another cell.
      if (verdict.kind === 'unknown' && caller)
        throw await options.refuseKey(Buffer.from(caller.keyHash, 'hex'))
      return acceptUnit(res, verdict)
    }
    const call = {
      query,
      path,
      body: req.body as unknown,
      caller,
      reserve: async () => void (await accept(await services.meter.reserve(unit()))),
      reserveIn: async (trx: Trx) => void (await accept(await services.meter.reserveIn(trx, unit()))),
      setRateLimit: (rateLimit: RateLimit) => setRateLimitHeaders(res, rateLimit),
    }
    // The validator has checked the call against the contract; the types follow from the same contract.
    const run = operations[operation.id] as Operation<OperationId>
    const work = () => run(call as unknown as Call<OperationId>, services)
    // A write holds a connection while it waits for its account.
    const isWrite = caller !== undefined && req.method !== 'GET'
    const result = (await (isWrite ? writes.run(caller.accountId, work) : work())) as
      ListQuery | { status: number; body: unknown }

    if (!('read' in result)) return sendResult(res, operation.id, result, checkAnswer)
    const list = await lists.get(result, {
      reserve: async (version) => {
        const verdict = await services.meter.reserve(unit(version))
        return version !== null && verdict.kind === 'stale' ? null : accept(verdict)
      },
      giveBack: isSpent(caller) ? (taken) => giveBack(services.meter, unit(), caller, taken) : null,
    })
    await sendResult(res, operation.id, { status: 200, json: list }, checkAnswer)
    lists.resize(result.key, list)
    if (caller) known.remember(target, { ...result, access: caller.terms.changeAccess })
  }
}

/** Whether the day's quota was used up when the key was looked up: then a pack pays, or the request is refused. */
function isSpent(caller: Caller | undefined): caller is Caller {
  return caller !== undefined && caller.planUsed >= caller.terms.dailyLimit
}

function giveBack(
  meter: Services['meter'],
  { endpoint }: UnitRequest,
  { quotaSubject }: Caller,
  { keyId, day, packId, number }: UnitVerdict,
): void {
  meter.giveBack({ quotaSubject, day, keyId, endpoint, packId, last: number, units: 1 })
}

function unitFor(operation: OperationId, caller: Caller | undefined, version: string | null): UnitRequest {
  const endpoint = meteredAs[operation]
  if (!caller || endpoint === null) throw new Error('An operation that is not metered reserved a unit.')
  return {
    keyHash: caller.keyHash,
    endpoint,
    plans: plansWhere((terms) => terms.operations.has(operation)),
    version,
  }
}

/** @throws ApiError when the verdict is anything but a unit */
function acceptUnit(res: Response, verdict: Verdict): UnitVerdict {
  if ('rateLimit' in verdict) setRateLimitHeaders(res, verdict.rateLimit)
  const refusal = toRefusal(verdict)
  if (refusal) throw refusal
  return verdict as UnitVerdict
}
