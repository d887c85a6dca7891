import type { ErrorRequestHandler } from 'express'
import { isDatabaseUnavailable } from '../database/connect.ts'
import { FeatureError } from '../features/feature-error.ts'
import { MeterTimeout } from '../features/metering/deadlines.ts'
import { TurnTimeout } from '../features/metering/turns.ts'
import type { Logger } from '../platform/logger.ts'
import { ApiError, errorBody, errorHeaders, type RemedyUrls } from './errors.ts'
import { clearRateLimitHeaders } from './rate-limit-headers.ts'
import { refusalAnswer } from './refusals.ts'
import { NotLetIn } from './shed.ts'

export interface AnswerErrorOptions {
  logger: Logger
  urls: RemedyUrls
}

/** The only place where a failure becomes an answer. */
export function answerError({ logger, urls }: AnswerErrorOptions): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const failure = asApiError(error)
    logFailure(logger, failure, error, {
      requestId: res.locals.requestId,
      operation: res.locals.operation?.id,
    })
    // It was answered when it broke off.
    if (res.writableEnded) return
    // Too late for an answer of ours: let Express cut the connection, so that nobody takes half a page for a whole.
    if (res.headersSent) return next(error)

    if (failure.code === 'service_unavailable') clearRateLimitHeaders(res)
    const { status, headers, body } = errorAnswer(failure, urls)
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
    res.statusCode = status
    // Not `res.json`: the validator has hooked it, and would judge the answer to its own complaint.
    res.end(body)
  }
}

/** What the client is told of a failure. */
export function errorAnswer(
  { code, status, message, headers }: ApiError,
  urls: RemedyUrls,
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(errorBody(code, message, urls))
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

/** Tells the operator of failures that are not the client's. */
export function logFailure(
  logger: Logger,
  failure: ApiError,
  error: unknown,
  { requestId, operation }: { requestId: string; operation: string | undefined },
): void {
  if (failure.code === 'internal_error') {
    logger.error({ err: error, request_id: requestId, operation }, 'request failed')
  } else if (failure.code === 'service_unavailable' && !(failure.cause instanceof NotLetIn)) {
    logger.warn({ err: failure.cause ?? failure, request_id: requestId }, 'service unavailable')
  }
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof FeatureError) return refusalAnswer(error)
  if (error instanceof MeterTimeout || error instanceof TurnTimeout || isDatabaseUnavailable(error))
    return new ApiError('service_unavailable', { cause: error })
  const { status, errors } = error as { status?: number; errors?: ValidationError[] }
  // Of the validator.
  if (status === 400 && errors) return new ApiError('invalid_request', { message: describe(errors) })
  // Of Express's router: a path parameter that does not decode.
  if (status === 400 && error instanceof URIError) {
    return new ApiError('invalid_request', { message: 'The path is not valid percent-encoded UTF-8.' })
  }
  if (status === 415) return new ApiError('unsupported_media_type')
  return new ApiError('internal_error', { cause: error })
}

interface ValidationError {
  /** Such as `/query/limit` or `/body/secret`. */
  path: string
  message: string
  /** Such as `pattern.openapi.validation`. */
  errorCode?: string
}

/** What a field with a pattern wants; the validator would quote the regular expression. */
const patternWants: Partial<Record<string, string>> = {
  since: 'must be an RFC 3339 time with offset, such as 2026-01-31T00:00:00Z (write "+" as %2B)',
  cursor: 'must be pagination.next_cursor of the page before, unchanged',
  url: 'must start with "https://" in lower case',
  secret: 'must not contain control characters',
}

/** The same of a field with a format besides. */
const formatWants: Partial<Record<string, string>> = {
  ...patternWants,
  url: 'must be a URL in ASCII without spaces: write a host in punycode, and percent-encode what a path or a query may not contain',
}

function describe(errors: readonly ValidationError[]): string {
  const sentences = errors.map(({ path, message, errorCode = '' }) => {
    const [place = '', ...names] = path.split('/').filter(Boolean)
    const what = names.length > 0 ? names.join('.') : `The ${place || 'request'}`
    const form = /^(pattern|format)\./.exec(errorCode)?.[1]
    if (form === undefined) return `${what} ${message}.`
    const wants = form === 'format' ? formatWants[what] : patternWants[what]
    return `${what} ${wants ?? 'does not have the right form'}.`
  })
  return [...new Set(sentences)].slice(0, 5).join(' ')
}
