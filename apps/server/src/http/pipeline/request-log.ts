import type { ServerResponse } from 'node:http'
import type { Request, RequestHandler } from 'express'
import type { RequestRecorder } from '../../features/metering/request-recorder.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/logger.ts'
import { newTimes, withinTimes, type RequestTimes } from '../../platform/request-times.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { ReadForwarded } from './forwarded.ts'
import { endRequestSpan, findTraceId } from './trace-requests.ts'

/** What is logged of a request. */
interface RequestFacts {
  requestId: string
  method: string | undefined
  /** By `performance.now()`. */
  startMs: number
  /** Undefined while the path is not one of a contract's. */
  operation: string | undefined
  /** The address of a page or a file beside the contracts, as a pattern: `/models/:vendor/:model`. */
  page?: string | undefined
  times: RequestTimes
  keyId: string | undefined
  accountId: string | undefined
  /** SHA-256 of a key that was refused, in hex. */
  keyHash?: string | undefined
  /** As it was sent. For the account's own log: it is in no line here. */
  target: string
  /** The code in the answer, when it is an error. */
  error: string | undefined
}

/** Stands for the status of a request whose client went before there was one; nginx's number. */
const clientGone = 499

/** Logs and counts a request whose answer is sent, or whose client has gone, and notes it for its account. */
export type RequestLog = (res: ServerResponse, facts: RequestFacts) => void

/**
 * Neither the URL nor a header is logged: the operation says what was asked, and a key in a URL stays out of the log.
 */
export function createRequestLog(
  logger: Logger,
  metrics: Metrics,
  recorder: Pick<RequestRecorder, 'note'>,
  readForwarded: ReadForwarded,
): RequestLog {
  // Nothing in the line needs redaction, which would take four times as long as the line.
  const lines = logger.child({}, { redact: [] })
  return (res, facts) => {
    const { requestId, method, startMs, operation, keyId, accountId, keyHash, target, error, times } = facts
    const name = operation ?? facts.page
    const durationMs = performance.now() - startMs
    const status = res.headersSent ? res.statusCode : clientGone
    metrics.observeRequest(name ?? 'none', status, durationMs / 1_000)
    endRequestSpan(res, { requestId, operation: name, status, error })
    const told = readForwarded(res.req)
    lines.info(
      {
        request_id: requestId,
        proxy_request_id: told.requestId,
        trace_id: findTraceId(res) ?? told.parent?.traceId,
        client_address: told.clientAddress,
        method,
        operation: name,
        status,
        duration_ms: rounded(durationMs),
        queue_ms: rounded(times.queueMs),
        meter_ms: rounded(times.meterMs),
        query_ms: rounded(times.queryMs),
        key_id: keyId,
        account_id: accountId,
        aborted: res.writableFinished ? undefined : true,
      },
      'request',
    )
    if (operation !== undefined) {
      recorder.note({ requestId, keyId, accountId, keyHash, operation, target, status, error, durationMs })
    }
  }
}

const rounded = (ms: number) => Math.round(ms * 10) / 10

/** The pattern by which a page was found, which is one of few; an address may hold anything. */
function namePage({ route }: Request): string | undefined {
  const path = (route as { path: string | string[] } | undefined)?.path
  return Array.isArray(path) ? path[0] : path
}

/** Names each request, and logs it when it is answered. */
export function logRequests(log: RequestLog): RequestHandler {
  return (req, res, next) => {
    const startMs = performance.now()
    const times = newTimes(startMs)
    res.locals.requestId = newId('req')
    res.locals.target = req.url
    res.setHeader('X-Request-Id', res.locals.requestId)
    res.once('close', () => {
      const { operation, caller, member, requestId, target, errorCode, refusedKeyHash } = res.locals
      log(res, {
        requestId,
        method: req.method,
        startMs,
        operation: operation?.id,
        page: namePage(req),
        times,
        keyId: caller?.keyId,
        accountId: caller?.accountId ?? member?.account?.id,
        keyHash: refusedKeyHash,
        target,
        error: errorCode,
      })
    })
    withinTimes(times, next)
  }
}
