import { answerTo, methodNotAllowed, report, type AdapterOptions, type Answer } from './adapter.ts'
import { WebhookVerificationError } from './error.ts'
import { verifyResult } from './index.node.ts'
import { readNodeRequest, type NodeRequest } from './node-body.ts'
import { refused } from './result.ts'
import type { RatecardWebhookEvent } from './types.ts'

/** The part of a `ServerResponse` that is used. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly writableEnded: boolean
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
  on(event: string, listener: () => void): unknown
}

/** Answers a delivery, unless an answer was begun. */
export function send(response: NodeResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.writableEnded) return
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(body)
}

/** Verifies, answers what must be refused, and calls the handler for the rest. Rejects with what the handler throws. */
export async function receive<Req extends NodeRequest, Res extends NodeResponse>(
  request: Req,
  response: Res,
  options: AdapterOptions,
  handler: (event: RatecardWebhookEvent, request: Req, response: Res) => unknown,
): Promise<void> {
  if (request.method !== 'POST') return send(response, methodNotAllowed)
  const result = await readNodeRequest(request, options).then(
    (body) => verifyResult(body, request.headers, options),
    refused,
  )
  if (!result.ok) {
    // The connection is closed: its next request would wait for the rest of this body.
    if (result.error.code === 'body_timeout') response.on('finish', () => request.destroy())
    send(response, answerTo(result.error))
    report(result.error, options)
    return
  }
  await handler(result.event, request, response)
  send(response, { status: 204, headers: {}, body: '' })
}

/** Prevents an answer of 410 by the `status` of a handler's error: that would switch the subscription off. */
export function withoutGone(error: unknown): unknown {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown }
  const isGone = (status === 410 || statusCode === 410) && !(error instanceof WebhookVerificationError)
  return isGone ? new Error('The webhook handler failed', { cause: error }) : error
}
