import { answerTo, checkUse, methodNotAllowed, report, type AdapterOptions, type Answer } from './adapter.ts'
import { findCause } from './cause.web.ts'
import { open } from './drive.web.ts'
import { refuse } from './error.ts'
import { refused } from './result.ts'
import type { RatecardWebhookEvent, WebhookData } from './types.ts'

export * from './common.ts'
export type { AdapterOptions, BodyBounds } from './adapter.ts'

/** The part of the event of API Gateway (payload 1.0 and 2.0), a function URL or a load balancer that is used. */
export interface LambdaEvent {
  readonly httpMethod?: string
  readonly requestContext?: { readonly http?: { readonly method?: string } }
  readonly headers?: { readonly [name: string]: string | undefined } | null
  readonly multiValueHeaders?: { readonly [name: string]: readonly string[] | undefined } | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

/** An answer that all of them understand. */
export interface LambdaResult {
  statusCode: number
  headers?: Record<string, string>
  body?: string
}

/**
 * Receives change alerts in AWS Lambda, behind API Gateway, a function URL or a load balancer.
 * @param handler is called with a verified event. Its result is the answer; without one the answer is 204. Its error is
 * passed on: Lambda counts the failure, the gateway answers 5xx, and the sender tries again
 * @example export const handler = ratecardWebhook({ secret }, async (event) => { … })
 */
export function ratecardWebhook<
  Incoming extends LambdaEvent = LambdaEvent,
  Rest extends unknown[] = unknown[],
>(
  options: AdapterOptions,
  handler: (
    event: RatecardWebhookEvent,
    incoming: Incoming,
    ...rest: Rest
  ) => LambdaResult | void | Promise<LambdaResult | void>,
): (incoming: Incoming, ...rest: Rest) => Promise<LambdaResult> {
  checkUse(options, handler)
  return async (incoming, ...rest) => {
    if ((incoming.httpMethod ?? incoming.requestContext?.http?.method) !== 'POST')
      return toResult(methodNotAllowed)
    // Only the lists show a header that came twice.
    const headers = incoming.multiValueHeaders ?? incoming.headers ?? {}
    const result = await readBody(incoming, options)
      .then((body) => open(body, headers, options, findCause))
      .then((passed) => ({ ok: true, ...passed }) as const, refused)
    if (!result.ok) {
      report(result.error, options)
      return toResult(answerTo(result.error))
    }
    return (await handler(result.event, incoming, ...rest)) ?? { statusCode: 204 }
  }
}

const toResult = ({ status, headers, body }: Answer): LambdaResult => ({ statusCode: status, headers, body })

// eslint-disable-next-line @typescript-eslint/require-await -- an error must be a rejection
async function readBody(
  incoming: LambdaEvent,
  { maxBodyBytes = 1_048_576 }: AdapterOptions,
): Promise<WebhookData> {
  const body = incoming.body ?? ''
  if (typeof body !== 'string') refuse('body_parsed')
  // A character is at least a byte, and four of base64 are at most three.
  if (body.length > (incoming.isBase64Encoded ? Math.ceil(maxBodyBytes / 3) * 4 : maxBodyBytes))
    refuse('body_too_large')
  const data = incoming.isBase64Encoded ? fromBase64(body) : body
  const size = typeof data === 'string' ? new TextEncoder().encode(data).length : data.length
  return size > maxBodyBytes ? refuse('body_too_large') : data
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return refuse('body_missing', 'isBase64Encoded is set, but the body is not base64.')
  }
}
