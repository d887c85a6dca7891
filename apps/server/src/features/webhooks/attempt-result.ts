import { errors } from 'undici'
import { BlockedAddressError } from './guarded-agent.ts'
import { statusMax, statusMin } from './http-status.ts'

// The outcome of an attempt, in words. Never an address, a secret or anything the endpoint sent.

/** Why an attempt failed; `http_` and the three digits that were answered when they are neither 2xx nor 3xx. */
type ErrorClass = 'timeout' | 'dns' | 'tls' | 'connect' | 'blocked_address' | 'redirect' | `http_${string}`

/** No answer came by the deadline. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** The answer is not HTTP. */
export class NoHttpError extends Error {
  override name = 'NoHttpError'
}

/** The outcome of an attempt, and what the owner of the endpoint can do about it. */
export interface AttemptResult {
  /** Null on success. */
  errorClass: ErrorClass | null
  /** A sentence that says the remedy. */
  error: string | null
}

/**
 * The result of an answer: success is 200 to 299. The status is null when HTTP does not have it.
 * @param isTest a test is sent once, and switches nothing off
 */
export function toResult(status: number, isTest = false): AttemptResult & { status: number | null } {
  if (status < statusMin || status > statusMax) {
    const digits = String(status).padStart(3, '0')
    return {
      status: null,
      errorClass: `http_${digits}`,
      error: `The endpoint answered ${digits}, which is no HTTP status. It must answer 200 to 299 for a received alert.`,
    }
  }
  if (status >= 200 && status <= 299) return { status, errorClass: null, error: null }
  if (status >= 300 && status <= 399) {
    return {
      status,
      errorClass: 'redirect',
      error: `The endpoint answered ${status}. Redirects are never followed: register the final address.`,
    }
  }
  return { status, errorClass: `http_${status}`, error: findRemedy(status, isTest) }
}

function findRemedy(status: number, isTest: boolean): string {
  if (status === 401 || status === 403)
    return `The endpoint answered ${status}. Check that it verifies with the secret given at creation.`
  if (status === 404) return 'The endpoint answered 404. Check the path of the address.'
  if (status === 410 && isTest)
    return 'The endpoint answered 410. An alert that is answered so switches the subscription off: answer 200 to 299.'
  if (status === 429 && isTest)
    return 'The endpoint answered 429. An alert that is answered so is tried again more slowly; raise its limit for our requests.'
  if (status === 410)
    return 'The endpoint answered 410, so the subscription is switched off. Create a new one to receive alerts again.'
  if (status === 429)
    return 'The endpoint answered 429. It is tried again more slowly; raise its limit for our requests.'
  return `The endpoint answered ${status}. It must answer 200 to 299 for a received alert.`
}

const dnsCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NONAME',
  'ENODATA',
  'ESERVFAIL',
  'ETIMEOUT',
])
const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])
const tlsCodes =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO$|HOSTNAME_|INVALID_CA|PATH_LENGTH_|CRL_)/

/** The result of an attempt without an answer. */
export function classify(error: unknown, timeoutMs: number): AttemptResult {
  const causes = [...listCauses(error)]
  if (causes.some((cause) => cause instanceof BlockedAddressError)) {
    return {
      errorClass: 'blocked_address',
      error: 'The host leads to a private or reserved address. Use a public one.',
    }
  }
  const codes = causes
    .map((cause) => (cause as { code?: unknown }).code)
    .filter((code) => typeof code === 'string')
  if (
    causes.some((cause) => cause instanceof DeadlineError) ||
    codes.some((code) => timeoutCodes.has(code))
  ) {
    return {
      errorClass: 'timeout',
      error: `No answer came in time (${timeoutMs / 1_000} s in all). Answer first and do the work afterwards.`,
    }
  }
  if (codes.some((code) => dnsCodes.has(code))) {
    return { errorClass: 'dns', error: 'The host name does not resolve. Check the address.' }
  }
  if (codes.some((code) => tlsCodes.test(code))) {
    return {
      errorClass: 'tls',
      error: 'The TLS connection failed. Check that the certificate is valid for this host and not expired.',
    }
  }
  if (causes.some(isNoHttp)) {
    return { errorClass: 'connect', error: 'What answered does not speak HTTP. Check host and port.' }
  }
  return {
    errorClass: 'connect',
    error:
      'The connection failed or was closed. Check that the endpoint is up and reachable from the internet.',
  }
}

/** Whether the answer is not HTTP, or its interim answers were not asked for or have no end. */
function isNoHttp(error: Error): boolean {
  const isUnasked = /^bad (response|upgrade)$/.test(error.message)
  return isUnasked || error instanceof errors.HTTPParserError || error instanceof NoHttpError
}

/** An error and what it was made of: several addresses were tried, or a library wrapped it. */
function* listCauses(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return
  yield error
  if (error instanceof AggregateError) for (const inner of error.errors) yield* listCauses(inner)
  yield* listCauses(error.cause)
}
