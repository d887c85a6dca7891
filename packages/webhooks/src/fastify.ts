import { answerTo, checkUse, methodNotAllowed, report, type AdapterOptions, type Answer } from './adapter.ts'
import { verifyResult } from './index.node.ts'
import { readNodeStream, type NodeStream } from './node-body.ts'
import { withoutGone } from './node-handler.ts'
import { refused } from './result.ts'
import type { RatecardWebhookEvent, WebhookData } from './types.ts'

export * from './common.ts'
export type { AdapterOptions, BodyBounds } from './adapter.ts'
export type { NodeStream } from './node-body.ts'

/** The part of a Fastify request that is used. */
export interface FastifyRequestLike {
  readonly method: string
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly body: unknown
}

/** The part of a Fastify reply that is used. */
export interface FastifyReplyLike {
  readonly sent: boolean
  code(status: number): this
  headers(values: Record<string, string>): this
  send(payload?: unknown): this
}

/** The part of a Fastify instance that is used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyRequestLike, payload: NodeStream) => Promise<unknown>,
  ): unknown
  all(path: string, options: object, handler: (request: never, reply: never) => Promise<unknown>): unknown
}

/** Options of the Fastify plugin. */
export type FastifyWebhookOptions = AdapterOptions & {
  /** Path of the deliveries. Default: `/webhooks/ratecard`. */
  path?: string | undefined
}

/**
 * Receives change alerts in Fastify: a plugin with one route and its own content type parser, so the rest of the
 * application keeps its parsers.
 * @param handler is called with a verified event. Its result is sent; without one the answer is 204. When it throws,
 * your error handler answers, and the sender tries again
 * @example app.register(ratecardWebhook({ secret, path: '/webhooks/ratecard' }, async (event) => { … }))
 */
export function ratecardWebhook<
  Req extends FastifyRequestLike = FastifyRequestLike,
  Reply extends FastifyReplyLike = FastifyReplyLike,
>(
  options: FastifyWebhookOptions,
  handler: (event: RatecardWebhookEvent, request: Req, reply: Reply) => unknown,
): (instance: FastifyLike) => Promise<void> {
  checkUse(options, handler)
  const answer = (reply: Reply, { status, headers, body }: Answer) => {
    reply.code(status).headers(headers).send(body)
    return reply
  }
  const bodies = new WeakMap<FastifyRequestLike, Promise<WebhookData>>()

  const receive = async (request: Req, reply: Reply): Promise<unknown> => {
    if (request.method !== 'POST') return answer(reply, methodNotAllowed)
    // Fastify calls no parser for a request without a body.
    const body = bodies.get(request) ?? Promise.resolve('')
    const result = await body.then((data) => verifyResult(data, request.headers, options), refused)
    if (!result.ok) {
      answer(reply, answerTo(result.error))
      report(result.error, options)
      return reply
    }
    let value: unknown
    try {
      value = await handler(result.event, request, reply)
    } catch (error) {
      throw withoutGone(error)
    }
    if (reply.sent) return reply
    return value === undefined ? answer(reply, { status: 204, headers: {}, body: '' }) : value
  }

  // Fastify answers 415 to an unknown type before it calls a parser. The signature says more than the type.
  const onRequest = (request: FastifyRequestLike, _reply: unknown, done: () => void) => {
    const headers: Record<string, unknown> = request.headers
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/json'
    done()
  }

  return async (instance) => {
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', async (request, payload) => {
      const body = readNodeStream(payload, request.headers['content-length'], options)
      bodies.set(request, body)
      // What it fails with is answered by the route.
      await body.catch(() => {})
    })
    instance.all(options.path ?? '/webhooks/ratecard', { onRequest }, receive)
    return Promise.resolve()
  }
}
