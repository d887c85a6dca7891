import { checkUse, type AdapterOptions } from './adapter.ts'
import type { NodeRequest } from './node-body.ts'
import { receive, withoutGone, type NodeResponse } from './node-handler.ts'
import type { RatecardWebhookEvent } from './types.ts'

export * from './common.ts'
export type { AdapterOptions, BodyBounds } from './adapter.ts'
export type { NodeRequest, NodeStream } from './node-body.ts'
export type { NodeResponse } from './node-handler.ts'

/** The part of an Express request that is used here or often in handlers. Annotate yours as `Request` for more. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string
  readonly path: string
  get(name: string): string | undefined
}

/** The part of an Express response that is used here or often in handlers. Annotate yours as `Response` for more. */
export interface ExpressResponse extends NodeResponse {
  status(code: number): this
  sendStatus(code: number): this
  send(body?: unknown): this
  json(body?: unknown): this
}

/**
 * Receives change alerts in Express 4 and 5, and in Nest on Express. Needs no body parser. Mount it before
 * `express.json()`; behind `express.raw()` or a parser that keeps `req.rawBody` it works too.
 * @param handler is called with a verified event. When it sends no answer, the answer is 204. When it throws, `next`
 * gets the error: your error handler answers, and the sender tries again
 * @example app.post('/webhooks/ratecard', ratecardWebhook({ secret }, async (event) => { … }))
 */
export function ratecardWebhook<Req extends ExpressRequest, Res extends ExpressResponse>(
  options: AdapterOptions,
  handler: (event: RatecardWebhookEvent, req: Req, res: Res) => unknown,
): (req: Req, res: Res, next: (error?: unknown) => void) => void {
  checkUse(options, handler)
  return (req, res, next) => {
    receive(req, res, options, handler).catch((error: unknown) => next(withoutGone(error)))
  }
}
