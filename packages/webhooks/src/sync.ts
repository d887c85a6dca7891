import { checkData } from './body.ts'
import { driveSync } from './drive.node.ts'
import { refuse } from './error.ts'
import { hmacHex } from './hmac.node.ts'
import { checkEvent, checkSignature, replayKey, type Passed } from './pipeline.ts'
import { refused, type WebhookResult } from './result.ts'
import { checkSecret } from './secrets.ts'
import { buildDraft, type TestRequest, type TestRequestOptions } from './test-request.ts'
import type {
  RatecardWebhookEvent,
  FreshnessOptions,
  ReplayOptions,
  SecretOptions,
  SignatureResult,
  WebhookData,
  WebhookHeaders,
} from './types.ts'

export * from './common.ts'
export type { WebhookResult } from './result.ts'
export type { TestRequest, TestRequestOptions } from './test-request.ts'

/** As `VerifyOptions`, with a synchronous `seen`. */
export type VerifySyncOptions = SecretOptions & FreshnessOptions & ReplayOptions<boolean | number>

function openSync(body: WebhookData, headers: WebhookHeaders, options: VerifySyncOptions): Passed {
  const passed = driveSync(checkEvent(body, headers, options))
  const seen: unknown = options.seen?.(replayKey(passed.event), passed.event)
  if (seen instanceof Promise) throw new TypeError('seen() must answer at once here: use verify() instead.')
  if (seen) refuse('replayed')
  return passed
}

/**
 * Verifies a delivery and reads it, without a promise. Node.js only; a `Request` cannot be read synchronously.
 * @throws {WebhookVerificationError} when the delivery must not be acted on; answer with its `status`
 */
export function verifySync(
  body: WebhookData,
  headers: WebhookHeaders,
  options: VerifySyncOptions = {},
): RatecardWebhookEvent {
  return openSync(body, headers, options).event
}

/** As {@link verifySync}, with a refused delivery as a result. */
export function verifyResultSync(
  body: WebhookData,
  headers: WebhookHeaders,
  options: VerifySyncOptions = {},
): WebhookResult {
  try {
    return { ok: true, ...openSync(body, headers, options) }
  } catch (error) {
    return refused(error)
  }
}

/**
 * Verifies the signature alone. The body may have any content and any age.
 * @throws {WebhookVerificationError} when no secret signed these bytes
 */
export function verifySignatureSync(
  body: WebhookData,
  headers: WebhookHeaders,
  options: SecretOptions = {},
): SignatureResult {
  return { secretIndex: driveSync(checkSignature(body, headers, options)) }
}

/**
 * The value of `x-svc-signature` for a body: `sha256=` and the lower-case hex HMAC-SHA256 of exactly these bytes.
 * @throws {WebhookVerificationError} `bad_secret`
 */
export function signSync(body: WebhookData, secret: string): string {
  return `sha256=${hmacHex(checkData(body), checkSecret(secret))}`
}

/** Makes a delivery as Ratecard sends it, for the tests of your endpoint. */
export function createTestRequestSync(options: TestRequestOptions): TestRequest {
  const { body, standard, signed } = buildDraft(options)
  const { secret } = options
  return signed(signSync(body, secret), standard && hmacHex(standard, secret))
}
