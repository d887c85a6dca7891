import { Buffer } from 'node:buffer'
import type { BodyBounds } from './adapter.ts'
import { dataOf } from './body.ts'
import { refuse, WebhookVerificationError } from './error.ts'
import type { WebhookData } from './types.ts'

/** What is needed of a readable stream. */
export interface NodeStream {
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  on(event: string, listener: (...values: never[]) => void): unknown
  removeListener(event: string, listener: (...values: never[]) => void): unknown
  resume(): unknown
  destroy(): unknown
}

/** What is needed of an `IncomingMessage`, and where frameworks leave a body that they have read. */
export interface NodeRequest extends NodeStream {
  readonly method?: string | undefined
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body?: unknown
  readonly rawBody?: unknown
}

/**
 * The raw body of a request: from its stream, or from what a raw-body parser left. Never waits for a stream that
 * someone else has read: it would never end.
 */
export async function readNodeRequest(request: NodeRequest, options: BodyBounds): Promise<WebhookData> {
  if (!request.readableDidRead && !request.readableEnded && !request.destroyed)
    return readNodeStream(request, request.headers['content-length'], options)
  const { maxBodyBytes = 1_048_576 } = options
  const data = dataOf((request.rawBody ?? request.body ?? {}) as WebhookData)
  const size = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
  return size > maxBodyBytes ? refuse('body_too_large') : data
}

/** Collects a stream of bytes within bounds of size and time. What is too large is drained, not kept. */
export function readNodeStream(
  stream: NodeStream,
  declaredBytes: unknown,
  { maxBodyBytes = 1_048_576, bodyTimeoutMs = 10_000 }: BodyBounds,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const stop = () => {
      clearTimeout(timer)
      stream.removeListener('data', onData)
      stream.removeListener('end', onEnd)
      stream.removeListener('close', onClose)
    }
    const fail = (...reason: ConstructorParameters<typeof WebhookVerificationError>) => {
      stop()
      reject(new WebhookVerificationError(...reason))
    }
    const onData = (chunk: Uint8Array | string) => {
      if (typeof chunk === 'string') return fail('body_parsed', 'Remove setEncoding(): it decodes the body.')
      size += chunk.length
      if (size > maxBodyBytes) tooLarge()
      else chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size))
    }
    const onClose = () => fail('body_missing', 'The connection was closed before the body was complete.')
    const tooLarge = () => {
      fail('body_too_large')
      // The sender reads our answer only when it has sent everything. It has as long as any body.
      const limit = setTimeout(() => stream.destroy(), bodyTimeoutMs)
      const done = () => clearTimeout(limit)
      stream.on('end', done)
      stream.on('close', done)
      stream.resume()
    }
    const timer = setTimeout(() => fail('body_timeout'), bodyTimeoutMs)
    // The listeners stay on for an error that comes late: without one it would end the process.
    stream.on('error', onClose)
    stream.on('end', onEnd)
    stream.on('close', onClose)
    if (Number(declaredBytes) > maxBodyBytes) tooLarge()
    else stream.on('data', onData)
  })
}
