import { answerTo, checkUse, methodNotAllowed, report, type AdapterOptions, type Answer } from './adapter.ts'
import { readData } from './body.ts'
import { findCause } from './cause.web.ts'
import { open } from './drive.web.ts'
import { WebhookVerificationError } from './error.ts'
import { refused } from './result.ts'
import type { RatecardWebhookEvent, WebhookHeaders, WebhookRequest } from './types.ts'

export * from './common.ts'
export type { AdapterOptions, BodyBounds } from './adapter.ts'

/** The platform's `Request`, where its types are known. */
export type PlatformRequest = typeof globalThis extends { Request: { prototype: infer Known } }
  ? Known
  : WebhookRequest

/** The platform's `Response`, where its types are known. */
export type PlatformResponse = typeof globalThis extends { Response: { prototype: infer Known } }
  ? Known
  : object

const toResponse = ({ status, headers, body }: Answer) => new Response(body, { status, headers })

/**
 * Receives change alerts wherever there are `Request` and `Response`: Next.js, Hono, Cloudflare Workers, Deno, Bun.
 * @param handler is called with a verified event and the arguments that the platform passes after the request. Its
 * result is the answer; without one the answer is 204. Its error is passed on: the platform answers 500, and the sender
 * tries again
 * @example export const POST = ratecardWebhook({ secret }, async (event) => { … })
 */
export function ratecardWebhook<Rest extends unknown[] = unknown[]>(
  options: AdapterOptions,
  handler: (
    event: RatecardWebhookEvent,
    request: PlatformRequest,
    ...rest: Rest
  ) => PlatformResponse | void | Promise<PlatformResponse | void>,
): (request: PlatformRequest, ...rest: Rest) => Promise<PlatformResponse> {
  checkUse(options, handler)
  return async (request, ...rest) => {
    const incoming: WebhookRequest = request
    if (incoming.method !== 'POST') return toResponse(methodNotAllowed)
    const result = await readInTime(incoming, options)
      .then((body) => open(body, incoming.headers as WebhookHeaders, options, findCause))
      .then((passed) => ({ ok: true, ...passed }) as const, refused)
    if (!result.ok) {
      report(result.error, options)
      return toResponse(answerTo(result.error))
    }
    return (await handler(result.event, request, ...rest)) ?? new Response(null, { status: 204 })
  }
}

async function readInTime(request: WebhookRequest, options: AdapterOptions) {
  let timer
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new WebhookVerificationError('body_timeout')),
      options.bodyTimeoutMs ?? 10_000,
    )
  })
  try {
    return await Promise.race([readData(request, options), late])
  } finally {
    clearTimeout(timer)
  }
}
