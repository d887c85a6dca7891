import { Buffer } from 'node:buffer'
import type { BodyBounds } from './adapter.ts'
import { checkData } from './body.ts'
import { refuse, WebhookVerificationError } from './error.ts'
import type { WebhookData } from './types.ts'

/** The part of a readable stream that is used. */
export interface NodeStream {
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  readonly destroyed?: boolean
  on(event: string, listener: (...values: never[]) => void): unknown
  removeListener(event: string, listener: (...values: never[]) => void): unknown
  resume(): unknown
  destroy(): unknown
}

/** The part of an `IncomingMessage` that is used, and the fields in which frameworks leave a body after reading it. */
export interface NodeRequest extends NodeStream {
  readonly method?: string | undefined
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly body?: unknown
  readonly rawBody?: unknown
}

/**
 * The raw body of a request: from its stream, or from the field that a raw-body parser has set. Never waits for a
 * stream that another reader has consumed: it would never end.
 */
export async function readNodeRequest(request: NodeRequest, options: BodyBounds): Promise<WebhookData> {
  if (!request.readableDidRead && !request.readableEnded && !request.destroyed)
    return readNodeStream(request, request.headers['content-length'], options)
  const { maxBodyBytes = 1_048_576 } = options
  const data = checkData((request.rawBody ?? request.body ?? {}) as WebhookData)
  const size = typeof data === 'string' ? Buffer.byteLength(data) : data.byteLength
  return size > maxBodyBytes ? refuse('body_too_large') : data
}

/** Collects a stream of bytes within bounds of size and time. The excess of a large body is drained, not kept. */
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
      // The sender reads our answer only after it has sent everything. It gets as much time as for any body.
      const limit = setTimeout(() => stream.destroy(), bodyTimeoutMs)
      const done = () => clearTimeout(limit)
      stream.on('end', done)
      stream.on('close', done)
      stream.resume()
    }
    const timer = setTimeout(() => fail('body_timeout'), bodyTimeoutMs)
    // The listeners stay for a late error: without a listener it would end the process.
    stream.on('error', onClose)
    stream.on('end', onEnd)
    stream.on('close', onClose)
    if (Number(declaredBytes) > maxBodyBytes) tooLarge()
    else stream.on('data', onData)
  })
}
