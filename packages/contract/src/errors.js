/** @import { ErrorBody, ErrorCode, QuotaErrorBody } from './index.ts' */

/**
 * @typedef {object} ErrorKind
 * @property {number} status
 * @property {string} message What to do next, in a sentence, when the place that failed knows nothing better.
 * @property {keyof RemedyUrls} [remedy] The field of the body with the address that helps.
 */

/**
 * Where an account gets a larger plan, or a pack.
 * @typedef {{ upgrade_url: string, topup_url: string }} RemedyUrls
 */

/**
 * Every way in which a request can fail.
 * @type {Record<ErrorCode, ErrorKind>}
 */
export const errorKinds = {
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

/** A failure of a request, with a public message. Thrown by any step, answered in one place. */
export class ApiError extends Error {
  /** @override */
  name = 'ApiError'

  /**
   * @param {ErrorCode} code
   * @param {{ message?: string, headers?: Record<string, string>, cause?: unknown }} [options]
   */
  constructor(code, { message = errorKinds[code].message, headers = {}, cause } = {}) {
    super(message, { cause })
    this.code = code
    /** @type {Readonly<Record<string, string>>} */
    this.headers = headers
  }

  get status() {
    return errorKinds[this.code].status
  }
}

/** @param {string} message */
export function invalidRequest(message) {
  return new ApiError('invalid_request', { message })
}

/** @param {number} secondsToReset */
export function quotaExceeded(secondsToReset) {
  return new ApiError('quota_exceeded', { headers: { 'Retry-After': String(secondsToReset) } })
}

/**
 * @param {ErrorCode} code
 * @param {string} message
 * @param {RemedyUrls} urls
 * @returns {ErrorBody | QuotaErrorBody}
 */
export function errorBody(code, message, urls) {
  const { status, remedy } = errorKinds[code]
  return { error: code, message, status, ...(remedy && { [remedy]: urls[remedy] }) }
}
