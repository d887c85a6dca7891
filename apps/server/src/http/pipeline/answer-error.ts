import type { ErrorCode } from '@ratecard/contract'
import type { ErrorRequestHandler } from 'express'
import { isDatabaseUnavailable } from '../../database/connect.ts'
import { MeterTimeout } from '../../features/metering/waiter.ts'
import { SemaphoreTimeout } from '../../platform/keyed-semaphore.ts'
import { AccountStopped } from '../../features/accounts/elsewhere.ts'
import { FeatureError } from '../../features/feature-error.ts'
import type { UnavailableReason } from '../../platform/figures/http.ts'
import { logRepeated } from '../../platform/log-repeated.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { ApiError, errorHeaders, errorKinds, type RemedyUrls } from './errors.ts'
import { clearRateLimitHeaders } from './rate-limit-headers.ts'
import { refusalAnswer } from './refusals.ts'
import { NotLetIn } from './shed.ts'

/** A failure in the terms of its interface: its `ApiError` or `DashboardError`. */
export interface Failure extends Error {
  readonly code: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export interface AnswerErrorOptions {
  logger: Logger
  /** Where more is sold. The dashboard gives none: it has pages for that. */
  urls: Partial<RemedyUrls>
  /** What was thrown, in the terms of the interface. */
  toFailure: (error: unknown) => Failure
  metrics: Pick<Metrics, 'countUnavailable' | 'countFault'>
}

/** Where a failure becomes an answer: of the fast path and the parser too, through `errorAnswer`. */
export function answerError({ urls, toFailure, ...noting }: AnswerErrorOptions): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  return (error: unknown, req, res, _next) => {
    const failure = toFailure(error)
    noteFailure(noting, failure, error, {
      requestId: res.locals.requestId,
      operation: res.locals.operation?.id,
    })
    // It was answered when it broke off.
    if (res.writableEnded) return
    // Too late for an answer of ours: a cut connection keeps a client from taking half an answer for a whole.
    if (res.headersSent) return void req.socket.destroy()

    if (failure.code === 'service_unavailable') clearRateLimitHeaders(res)
    const { status, headers, body } = errorAnswer(failure, urls)
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.locals.errorCode = failure.code
    res.statusCode = status
    res.end(body)
  }
}

/** The answer that the client gets for a failure. */
export function errorAnswer(
  { code, status, message, headers }: Failure,
  urls: Partial<RemedyUrls>,
): { status: number; headers: Record<string, string>; body: string } {
  const remedy = code in errorKinds ? errorKinds[code as ErrorCode].remedy : undefined
  const body = JSON.stringify({ error: code, message, status, ...(remedy && { [remedy]: urls[remedy] }) })
  return {
    status,
    headers: {
      ...errorHeaders(code),
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  }
}

/** Logs and counts failures that are not the client's: what repeats has a line a second. */
export function noteFailure(
  { logger, metrics }: Pick<AnswerErrorOptions, 'logger' | 'metrics'>,
  failure: Failure,
  error: unknown,
  { requestId, operation }: { requestId: string; operation: string | undefined },
): void {
  if (failure.code === 'internal_error') {
    metrics.countFault()
    logRepeated(logger, 'error', {
      kind: `${operation} ${String(error)}`,
      facts: { err: error, request_id: requestId, operation },
      message: 'request failed',
    })
  } else if (failure.code === 'service_unavailable') {
    const reason = findReason(failure.cause)
    metrics.countUnavailable(reason)
    if (failure.cause instanceof NotLetIn) return
    const err = failure.cause ?? failure
    logRepeated(logger, 'warn', {
      kind: `${reason} ${(err as { code?: string }).code}`,
      facts: { err, request_id: requestId, operation, reason },
      message: 'service unavailable',
    })
  }
}

function findReason(cause: unknown): UnavailableReason {
  if (cause instanceof NotLetIn) return cause.reason
  if (cause instanceof MeterTimeout) return 'meter'
  if (cause instanceof AccountStopped) return 'moving'
  return cause instanceof SemaphoreTimeout ? 'busy' : 'database'
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof FeatureError) return refusalAnswer(error)
  const isForNow =
    error instanceof MeterTimeout || error instanceof SemaphoreTimeout || error instanceof AccountStopped
  if (isForNow || isDatabaseUnavailable(error)) return new ApiError('service_unavailable', { cause: error })
  // Of Express's router: a path parameter that does not decode.
  if (error instanceof URIError && (error as { status?: number }).status === 400) {
    return new ApiError('invalid_request', { message: 'The path is not valid percent-encoded UTF-8.' })
  }
  return new ApiError('internal_error', { cause: error })
}
