import type { ErrorCode } from '@ratecard/contract'

export interface ErrorKind {
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

export interface ErrorOptions {
  message?: string | undefined
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** A failure of a request, with a public message, by the table of its interface. `answer-error.ts` answers it. */
export class RequestError<Code extends string = string> extends Error {
  readonly code: Code
  readonly status: number
  readonly remedy: ErrorKind['remedy']
  readonly headers: Readonly<Record<string, string>>

  constructor(kinds: Readonly<Record<Code, ErrorKind>>, code: Code, options: ErrorOptions) {
    const { status, message, remedy } = kinds[code]
    super(options.message ?? message, { cause: options.cause })
    this.code = code
    this.status = status
    this.remedy = remedy
    this.headers = options.headers ?? {}
  }
}

/** A failure of a request of the API, or in a step that both interfaces share. */
export class ApiError extends RequestError<ErrorCode> {
  override name = 'ApiError'

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(errorKinds, code, options)
  }
}

export function quotaExceeded(secondsToReset: number): ApiError {
  return new ApiError('quota_exceeded', { headers: { 'Retry-After': String(secondsToReset) } })
}

export interface RemedyUrls {
  upgrade_url: string
  topup_url: string
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
