interface FailureKind {
  status: number
  /** Said where nothing more exact is known. */
  message: string
  /** The field of the body with the address that helps. */
  remedy?: 'upgrade_url' | 'topup_url'
}

// The words are those of the service.
export const failureKinds = {
  invalid_request: {
    status: 400,
    message: 'The request is not valid. See the reference for what it may contain.',
  },
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
} satisfies Record<string, FailureKind>

/** Every code of an error. */
export type FailureCode = keyof typeof failureKinds

/** The code the service sends with a status; undefined for one it never sends. */
export function codeOfStatus(status: number): FailureCode | undefined {
  const codes = Object.keys(failureKinds) as FailureCode[]
  return codes.find((code) => failureKinds[code].status === status)
}

/** Why a request is not served. Thrown by any step, answered in one place. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: FailureCode,
    message: string = failureKinds[code].message,
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

export function invalid(message: string): Failure {
  return new Failure('invalid_request', message)
}

export function failureBody(code: FailureCode, message: string, plansUrl: string): Record<string, unknown> {
  const { status, remedy }: FailureKind = failureKinds[code]
  return { error: code, message, status, ...(remedy && { [remedy]: plansUrl }) }
}
