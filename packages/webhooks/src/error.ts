/** Why a delivery was refused. A closed set. */
export type WebhookErrorCode =
  | 'missing_signature'
  | 'malformed_signature'
  | 'signature_mismatch'
  | 'body_parsed'
  | 'body_missing'
  | 'body_too_large'
  | 'body_timeout'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'invalid_json'
  | 'unexpected_event'
  | 'invalid_payload'
  | 'bad_secret'
  | 'replayed'

// The others are 400.
const statuses: { [Code in WebhookErrorCode]?: number } = {
  missing_signature: 401,
  malformed_signature: 401,
  signature_mismatch: 401,
  body_too_large: 413,
  body_timeout: 408,
  body_parsed: 500,
  bad_secret: 500,
  replayed: 200,
}

const hints: { [Code in WebhookErrorCode]?: string } = {
  missing_signature: 'Pass all headers. If you do, the caller is not Ratecard.',
  malformed_signature: 'A proxy changed or repeated the header, or the caller is not Ratecard.',
  signature_mismatch:
    'Compare the secret with the one of the webhook, and pass the body as received. If both are right, the caller is not Ratecard.',
  body_parsed: 'Pass the raw body: express.raw(), Nest rawBody, Next request.text() or an adapter.',
  bad_secret: 'A secret has 16 to 512 characters, no line feed and no other control character among them.',
}

const brand = Symbol.for('@ratecard/webhooks')

/**
 * A delivery that must not be acted on. No rendering of the error contains a secret, a signature or a part of the body.
 * `instanceof` also recognises the errors of another copy of this package.
 */
export class WebhookVerificationError extends Error {
  /** The reason, for programs. */
  declare readonly code: WebhookErrorCode
  /** The status to answer: 401, 400, 408, 413 or 500; 200 for `replayed`, which was handled before. */
  declare readonly status: number
  /** The same. Frameworks that answer an error by themselves look for it and for `expose`. */
  declare readonly statusCode: number
  /** Whether the caller may read the message. */
  declare readonly expose: boolean
  /** What to do about it, for your logs. It may describe your set-up: do not send it to the caller. */
  declare readonly hint: string | undefined

  constructor(code: WebhookErrorCode, hint = hints[code]) {
    super('Webhook refused: ' + code.replaceAll('_', ' '))
    this.name = 'WebhookVerificationError'
    this.code = code
    this.status = this.statusCode = statuses[code] ?? 400
    this.expose = this.status < 500
    this.hint = hint
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return !!(value as Record<symbol, unknown> | null | undefined)?.[brand]
  }
}

// On the prototype: a printed error does not show it.
Object.assign(WebhookVerificationError.prototype, { [brand]: 1 })

/** Throws a {@link WebhookVerificationError}. */
export function refuse(code: WebhookErrorCode, hint?: string): never {
  throw new WebhookVerificationError(code, hint)
}
