import type { ErrorBody, ErrorCode, QuotaErrorBody } from '@ratecard/contract'

interface ErrorKind {
  status: number
  /** Said when the place that failed has nothing better to say: what to do next, in a sentence. */
  message: string
  /** The address that mends it, by its field in the body. */
  remedy?: 'upgrade_url' | 'topup_url'
}

/** Every way in which a request can fail. */
export const errorKinds: Record<ErrorCode, ErrorKind> = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid. See the reference for what it may contain.',
  },
  // One message for every cause: a caller without a valid key learns nothing about keys.
  unauthorized: { status: 401, message: 'Send a valid API key as "Authorization: Bearer <API_KEY>".' },
  webhook_limit_reached: {
    status: 402,
    message: 'Your plan allows no more active webhooks. Delete one, or upgrade.',
    remedy: 'upgrade_url',
  },
  forbidden: {
    status: 403,
    message: 'Your plan does not include this endpoint. Upgrade to use it.',
    remedy: 'upgrade_url',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address. See the reference for the paths there are.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not answer that method. The Allow header has those it answers.',
  },
  request_timeout: { status: 408, message: 'The request took too long to arrive. Send it again.' },
  payload_too_large: { status: 413, message: 'The body is larger than 64 KiB. Send less.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as "Content-Type: application/json", in UTF-8, not compressed.',
  },
  quota_exceeded: {
    status: 429,
    message:
      'The daily quota of this key is used up and no top-up pack is left. Buy a pack, or wait for the reset at midnight UTC.',
    remedy: 'topup_url',
  },
  headers_too_large: {
    status: 431,
    message: 'The request headers are larger than 16 KiB, or too many. Send less.',
  },
  internal_error: {
    status: 500,
    message:
      'Something failed on our side. Send the request again; if it fails again, report the X-Request-Id.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot answer at the moment. Try again after the seconds in Retry-After.',
  },
}

/** A failure of a request, with a public message. Thrown anywhere below `http`, answered in one place. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    options: { message?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.message ?? errorKinds[code].message, { cause: options.cause })
    this.code = code
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorKinds[this.code].status
  }
}

export function quotaExceeded(secondsToReset: number): ApiError {
  return new ApiError('quota_exceeded', { headers: { 'Retry-After': String(secondsToReset) } })
}

export interface RemedyUrls {
  upgrade_url: string
  topup_url: string
}

export function errorBody(code: ErrorCode, message: string, urls: RemedyUrls): ErrorBody | QuotaErrorBody {
  const { status, remedy } = errorKinds[code]
  return { error: code, message, status, ...(remedy && { [remedy]: urls[remedy] }) }
}

const unavailableRetrySecondsMax = 5

/** Headers that every error of this kind carries. */
export function errorHeaders(code: string): Record<string, string> {
  if (code === 'unauthorized') return { 'WWW-Authenticate': 'Bearer' }
  // Spread over a few seconds, so that clients do not come back all at once.
  if (code === 'service_unavailable')
    return { 'Retry-After': String(1 + Math.floor(Math.random() * unavailableRetrySecondsMax)) }
  return {}
}
