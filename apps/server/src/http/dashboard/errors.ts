import type { Failure } from '../pipeline/answer-error.ts'

/** Every way in which a request of the dashboard can fail: status, and what to do next. */
const dashboardErrors = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  not_signed_in: { status: 401, message: 'Sign in first.' },
  wrong_credentials: { status: 401, message: 'The e-mail address or the password is wrong.' },
  cross_site: {
    status: 403,
    message: "The request does not come from the dashboard's own pages. Open the dashboard and try there.",
  },
  owner_only: { status: 403, message: 'Only an owner of the account may do this.' },
  forbidden: { status: 403, message: 'Your plan does not include this. Upgrade to use it.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not answer that method.' },
  conflict: { status: 409, message: 'This was changed by someone else. Reload the page and try again.' },
  other_account: {
    status: 409,
    message:
      'Nothing was done: you have switched to another account, or are no member of this one any more. Load the page again.',
  },
  key_limit_reached: {
    status: 409,
    message: 'Your plan allows no more active keys. Revoke one, or upgrade.',
  },
  webhook_limit_reached: {
    status: 409,
    message: 'Your plan allows no more active webhooks. Delete one or switch one off, or upgrade.',
  },
  last_owner: { status: 409, message: 'An account needs an owner. Make somebody else one first.' },
  no_account: { status: 409, message: 'You are a member of no account. Make one first.' },
  billing_unavailable: { status: 409, message: 'Nothing can be bought here. Write to your operator.' },
  payload_too_large: { status: 413, message: 'The body is larger than 64 KiB. Send less.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as "Content-Type: application/json", in UTF-8, not compressed.',
  },
  too_many_attempts: { status: 429, message: 'Too many attempts. Wait a minute and try again.' },
  internal_error: {
    status: 500,
    message: 'Something failed on our side. Try again; if it fails again, report the X-Request-Id.',
  },
  service_unavailable: {
    status: 503,
    message: 'The service cannot answer at the moment. Try again shortly.',
  },
} satisfies Record<string, { status: number; message: string }>

export type DashboardErrorCode = keyof typeof dashboardErrors

/** A failure of a dashboard request, with a public message. */
export class DashboardError extends Error implements Failure {
  override name = 'DashboardError'
  readonly code: DashboardErrorCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: DashboardErrorCode,
    options: { message?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.message ?? dashboardErrors[code].message, { cause: options.cause })
    this.code = code
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return dashboardErrors[this.code].status
  }
}

/** The account has no such thing; one of another account gets the same answer. */
export function notFound(what: string): DashboardError {
  return new DashboardError('not_found', { message: `There is no such ${what} in this account.` })
}

/** A client asks more often than it may. */
export function tooOften(retrySeconds: number, what = 'Too many requests.'): DashboardError {
  const unit = retrySeconds === 1 ? 'second' : 'seconds'
  return new DashboardError('too_many_attempts', {
    message: `${what} Try again in ${retrySeconds} ${unit}.`,
    headers: { 'Retry-After': String(retrySeconds) },
  })
}

export function isDashboardCode(code: string): code is DashboardErrorCode {
  return Object.hasOwn(dashboardErrors, code)
}
