import { checkUse, report, type AdapterOptions } from './adapter.ts'
import type { NodeRequest } from './node-body.ts'
import { receive, send, type NodeResponse } from './node-handler.ts'
import type { RatecardWebhookEvent } from './types.ts'

export * from './common.ts'
export type { AdapterOptions, BodyBounds } from './adapter.ts'
export type { NodeRequest, NodeStream } from './node-body.ts'
export type { NodeResponse } from './node-handler.ts'

/**
 * Receives change alerts in `node:http`. Reads the body itself, within bounds, and answers refused requests.
 * @param handler is called with a verified event. When it sends no answer, the answer is 204. When it throws, the
 * answer is 500, `onError` gets the error, and the sender tries again
 * @example createServer(ratecardWebhook({ secret }, async (event) => { … })).listen(3000)
 */
export function ratecardWebhook<Req extends NodeRequest, Res extends NodeResponse>(
  options: AdapterOptions,
  handler: (event: RatecardWebhookEvent, request: Req, response: Res) => unknown,
): (request: Req, response: Res) => void {
  checkUse(options, handler)
  return (request, response) => {
    receive(request, response, options, handler).catch((error: unknown) => {
      send(response, { status: 500, headers: {}, body: '' })
      report(error, options)
    })
  }
}
