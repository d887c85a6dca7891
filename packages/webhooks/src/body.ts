import { refuse } from './error.ts'
import type { ReadOptions, WebhookBody, WebhookData, WebhookRequest } from './types.ts'

/** A body in memory, without a copy. Shared memory is refused: it can change after it was verified. */
export function checkData(body: WebhookData): WebhookData {
  const bytes = ArrayBuffer.isView(body) ? body.buffer : body
  // By name, since a buffer may come from another realm.
  return bytes instanceof ArrayBuffer || /(String|t ArrayBuffer)]/.test({}.toString.call(bytes))
    ? body
    : refuse(body == null ? 'body_missing' : 'body_parsed')
}

/** The same, and reads a `Request` within its bounds. */
export function readData(
  body: WebhookBody,
  options?: ReadOptions | null,
): WebhookData | Promise<WebhookData> {
  const request = body as Partial<WebhookRequest> | null | undefined
  return request?.arrayBuffer ? readRequest(request as WebhookRequest, options) : (body as WebhookData)
}

async function readRequest(request: WebhookRequest, options?: ReadOptions | null): Promise<WebhookData> {
  const maxBodyBytes = options?.maxBodyBytes ?? 1_048_576
  const stream = request.body as (AsyncIterable<Uint8Array<ArrayBuffer>> & { locked: boolean }) | null
  // A stream that has another reader would never end here.
  if (request.bodyUsed || stream?.locked) refuse('body_parsed')
  const chunks = []
  let size = 0
  for await (const chunk of stream ?? []) {
    if ((size += chunk.length) > maxBodyBytes) refuse('body_too_large')
    chunks.push(chunk)
  }
  return new Blob(chunks).arrayBuffer()
}
