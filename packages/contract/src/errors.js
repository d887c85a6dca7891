/** @import { ErrorBody, ErrorCode, QuotaErrorBody } from './index.ts' */
import facts from '../facts/errors.json' with { type: 'json' }

/**
 * @typedef {object} ErrorKind
 * @property {number} status
 * @property {string} message What to do next, in a sentence, when the code that failed knows nothing better.
 * @property {keyof RemedyUrls} [remedy] The field of the body with the address that helps.
 */

/**
 * Where an account gets a larger plan, or a pack.
 * @typedef {{ upgrade_url: string, topup_url: string }} RemedyUrls
 */

/**
 * Every way in which a request can fail. 401 has one message for every cause: a caller without a valid key learns nothing
 * about keys.
 */
export const errorKinds = /** @type {Record<ErrorCode, ErrorKind>} */ (
  /** @satisfies {Record<ErrorCode, Omit<ErrorKind, 'remedy'>>} */ (facts)
)

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
