import type { RateLimit } from './headers.ts'
import type { ErrorCode } from './generated/models.ts'

// The registry of symbols is shared by all copies of this package in a process, so `instanceof` works across them.
const brand = Symbol.for('ratecard.error')

/** What every error can be made with. */
export interface RatecardErrorOptions {
  cause?: unknown
  attempts?: number | undefined
  retryable?: boolean | undefined
}

/**
 * Everything this client throws or rejects with.
 *
 * `instanceof` works across copies of the package (ESM beside CommonJS, bundled twice). The API key is in no error.
 */
export class RatecardError extends Error {
  /** How many requests were sent. */
  declare readonly attempts: number
  /** Whether the same call may succeed later. Waiting does not help when the daily quota is used up: false then. */
  declare readonly retryable: boolean
  /** In a walk over pages: the cursor of the page that failed. Pass it as `cursor` to go on; undefined is the first page. */
  declare cursor: string | undefined

  constructor(message: string, options: RatecardErrorOptions = {}) {
    const { cause, body, ...fields } = options as RatecardErrorOptions & { body?: unknown }
    super(message, cause === undefined ? undefined : { cause })
    const known = Object.entries(fields).filter(([, value]) => value !== undefined)
    Object.assign(this, { attempts: 0, retryable: false }, Object.fromEntries(known))
    // A body may be long. It is there on demand, and not in what a console prints of an error.
    if (body !== undefined) Object.defineProperty(this, 'body', { value: body })
    Object.defineProperty(this, brand, { value: true })
  }

  /** The name of the class, whatever a bundler renames it to. */
  override get name(): string {
    return 'RatecardError'
  }

  /** All fields but stack and cause. */
  toJSON(): Record<string, unknown> {
    const { name, message, body } = this as RatecardError & { body?: unknown }
    const fields: Record<string, unknown> = { name, message }
    return Object.assign(fields, this, body === undefined ? {} : { body })
  }

  static override [Symbol.hasInstance](this: { prototype: object }, value: unknown): boolean {
    const name = ownName(this.prototype)
    // A class derived elsewhere has no name of its own here and is compared in the usual way.
    if (name === undefined) return this.prototype.isPrototypeOf(value as object)
    let at = Object(value) as { [brand]?: true } | null
    if (!at?.[brand]) return false
    for (; at; at = Object.getPrototypeOf(at) as typeof at) if (ownName(at) === name) return true
    return false
  }
}

function ownName(prototype: object): unknown {
  return Object.hasOwn(prototype, 'name') ? (prototype as { name: unknown }).name : undefined
}

/** An option, an argument or the surroundings cannot work. Nothing was sent. */
export class ConfigurationError extends RatecardError {
  override get name(): string {
    return 'ConfigurationError'
  }
}

/** What a `ConnectionError` is made with. */
export interface ConnectionErrorOptions extends RatecardErrorOptions {
  code?: string | undefined
  mayHaveArrived?: boolean | undefined
}

/**
 * No answer came: the connection could not be made or broke. The message says why, as far as the runtime knows; `cause` is
 * what `fetch` rejected with.
 */
export class ConnectionError extends RatecardError {
  /** What the runtime calls the failure, for example `ECONNREFUSED`; undefined where it has no name for it. */
  declare readonly code: string | undefined
  /** False when the request certainly never left, for example because the connection was refused. */
  declare readonly mayHaveArrived: boolean

  constructor(message: string, options: ConnectionErrorOptions = {}) {
    const { cause, ...fields } = options
    super(message, { retryable: true, mayHaveArrived: true, ...fields })
    // Behind a getter, as consoles print causes in full: pages of the runtime's own frames, for what the message says.
    if (cause !== undefined) Object.defineProperty(this, 'cause', { get: () => cause, configurable: true })
  }

  override get name(): string {
    return 'ConnectionError'
  }
}

/** No complete answer came within `timeoutMs` or `deadlineMs`. */
export class TimeoutError extends ConnectionError {
  override get name(): string {
    return 'TimeoutError'
  }
}

/** The caller's signal was aborted; `cause` is its reason. */
export class RequestAbortedError extends RatecardError {
  override get name(): string {
    return 'RequestAbortedError'
  }
}

/** What an `InvalidResponseError` is made with. */
export interface InvalidResponseErrorOptions extends RatecardErrorOptions {
  status?: number | undefined
  requestId?: string | undefined
  body?: unknown
}

/** The answer is not one of Ratecard's: no JSON, of the wrong shape, too long, a redirect, or a list that leads back to itself. */
export class InvalidResponseError extends RatecardError {
  /** The HTTP status; undefined when the answer has none. */
  declare readonly status: number | undefined
  declare readonly requestId: string | undefined
  /** What came instead. */
  declare readonly body: unknown

  constructor(message: string, options: InvalidResponseErrorOptions = {}) {
    super(message, options)
  }

  override get name(): string {
    return 'InvalidResponseError'
  }
}

/** What an `ApiError` is made with. */
export interface ApiErrorOptions extends RatecardErrorOptions {
  status: number
  code?: ErrorCode | undefined
  requestId?: string | undefined
  upgradeUrl?: string | undefined
  topupUrl?: string | undefined
  retryAfterMs?: number | undefined
  rateLimit?: RateLimit | undefined
  body?: unknown
}

/** The server answered with an error. The message says what to do and ends with the URL that leads out, if there is one. */
export class ApiError extends RatecardError {
  /** The HTTP status. */
  declare readonly status: number
  /** What went wrong, for programs; undefined when the answer was not written by Ratecard (a proxy, a gateway). */
  declare readonly code: ErrorCode | undefined
  /** Identifies the request. Name it when you ask for help. */
  declare readonly requestId: string | undefined
  /** Where to get a plan that allows the request (402, 403, sometimes 429). */
  declare readonly upgradeUrl: string | undefined
  /** Where to buy a top-up pack (429). */
  declare readonly topupUrl: string | undefined
  /** How long the server asks to wait. */
  declare readonly retryAfterMs: number | undefined
  /** Where the daily quota stood. */
  declare readonly rateLimit: RateLimit | undefined
  /** The body of the answer: parsed when it was JSON, else its text, at most 64 KiB of it. */
  declare readonly body: unknown

  constructor(message: string, options: ApiErrorOptions) {
    super(message, options)
  }

  override get name(): string {
    return 'ApiError'
  }
}

/** 400: a parameter is not valid; the message says which. No request was used up. */
export class BadRequestError extends ApiError {
  override get name(): string {
    return 'BadRequestError'
  }
}

/** 401: the API key is missing, mistyped or revoked. */
export class AuthenticationError extends ApiError {
  override get name(): string {
    return 'AuthenticationError'
  }
}

/** 402: the plan allows no further active webhook. Delete one, or upgrade at `upgradeUrl`. */
export class PaymentRequiredError extends ApiError {
  override get name(): string {
    return 'PaymentRequiredError'
  }
}

/** 403: the plan does not include the endpoint. Upgrade at `upgradeUrl`. */
export class PermissionDeniedError extends ApiError {
  override get name(): string {
    return 'PermissionDeniedError'
  }
}

/** 404: no such webhook, or no such path under `baseUrl`. */
export class NotFoundError extends ApiError {
  override get name(): string {
    return 'NotFoundError'
  }
}

/** 429: the daily quota is used up. Wait `retryAfterMs`, or buy a pack at `topupUrl`; the next request is served then. */
export class RateLimitError extends ApiError {
  override get name(): string {
    return 'RateLimitError'
  }
}

/** 500 and above, other than 503. */
export class InternalServerError extends ApiError {
  override get name(): string {
    return 'InternalServerError'
  }
}

/** 503: a store behind the service is away, or it is too busy. No request was used up. */
export class ServiceUnavailableError extends ApiError {
  override get name(): string {
    return 'ServiceUnavailableError'
  }
}
