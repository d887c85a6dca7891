import { checkData, readData } from './body.ts'
import { drive, open } from './drive.web.ts'
import { hmacHex } from './hmac.web.ts'
import { checkSignature } from './pipeline.ts'
import { refused, type WebhookResult } from './result.ts'
import { checkSecret } from './secrets.ts'
import { buildDraft, type TestRequest, type TestRequestOptions } from './test-request.ts'
import type {
  RatecardWebhookEvent,
  SignatureOptions,
  SignatureResult,
  VerifyOptions,
  WebhookBody,
  WebhookData,
  WebhookHeaders,
} from './types.ts'

export * from './common.ts'
export type { WebhookResult } from './result.ts'
export type { TestRequest, TestRequestOptions } from './test-request.ts'

/**
 * Verifies a delivery and reads it: the signature over the exact bytes, then the content, then the age.
 * @param body the raw body, before any parsing, or a `Request`
 * @param headers all headers of the request
 * @throws {WebhookVerificationError} when the delivery must not be acted on; answer with its `status`
 * @throws {TypeError} when the arguments do not match this description
 * @example const event = await verify(await request.text(), request.headers, { secret })
 */
export async function verify(
  body: WebhookBody,
  headers: WebhookHeaders,
  options: VerifyOptions = {},
): Promise<RatecardWebhookEvent> {
  return (await open(body, headers, options)).event
}

/** As {@link verify}, with a refused delivery as a result: `{ ok: true, event, secretIndex }` or `{ ok: false, error }`. */
export async function verifyResult(
  body: WebhookBody,
  headers: WebhookHeaders,
  options: VerifyOptions = {},
): Promise<WebhookResult> {
  return open(body, headers, options).then((passed) => ({ ok: true, ...passed }), refused)
}

/**
 * Verifies the signature alone. The body may have any content and any age.
 * @throws {WebhookVerificationError} when no secret signed these bytes
 */
export async function verifySignature(
  body: WebhookBody,
  headers: WebhookHeaders,
  options: SignatureOptions = {},
): Promise<SignatureResult> {
  return { secretIndex: await drive(checkSignature(await readData(body, options), headers, options)) }
}

/**
 * The value of `x-svc-signature` for a body: `sha256=` and the lower-case hex HMAC-SHA256 of exactly these bytes.
 * @throws {WebhookVerificationError} `bad_secret`
 */
export async function sign(body: WebhookData, secret: string): Promise<string> {
  return `sha256=${await hmacHex(checkData(body), checkSecret(secret))}`
}

/**
 * Makes a delivery as Ratecard sends it, for the tests of your endpoint.
 * @example const request = await createTestRequest({ secret, url }); await fetch(request.url, request)
 */
export async function createTestRequest(options: TestRequestOptions): Promise<TestRequest> {
  const { body, standard, signed } = buildDraft(options)
  const { secret } = options
  return signed(await sign(body, secret), standard && (await hmacHex(standard, secret)))
}
