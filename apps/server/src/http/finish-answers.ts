import type { RequestHandler, Response } from 'express'
import compressible from 'compressible'
import Negotiator from 'negotiator'
import { compress, compressionThresholdBytes, preferredCoding, type Coding } from './codings.ts'

/**
 * What happens to every answer when its work is done: it is compressed, and the request leaves its gate. Each body is
 * one buffer, so it is compressed as a whole. A stream that compresses would live, with some 300 KB of its own, until
 * the client has taken the answer.
 */
export const finishAnswers: RequestHandler = (req, res, next) => {
  // HEAD is answered like GET, under that name.
  const hasBody = req.method !== 'HEAD'
  // Express's types know several forms of it.
  const end = res.end.bind(res) as (body?: Buffer) => typeof res
  const finish = (body?: Buffer) => {
    res.locals.leaveGate?.()
    return end(body)
  }
  res.end = ((chunk?: unknown, encoding?: unknown) => {
    const body = bytesOf(chunk, encoding)
    if (!isCompressible(res)) return finish(body)
    res.vary('Accept-Encoding')
    if (!body || !hasBody || body.length < compressionThresholdBytes || res.hasHeader('Content-Encoding')) {
      return finish(body)
    }
    const coding = codingFor(req.headers['accept-encoding'])
    if (coding === 'identity') return finish(body)
    compress(body, coding).then(
      (encoded) => {
        res.setHeader('Content-Encoding', coding)
        res.setHeader('Content-Length', encoded.length)
        finish(encoded)
      },
      () => finish(body),
    )
    return res
  }) as typeof res.end
  next()
}

/** The coding of an answer to a request with this `Accept-Encoding`: `br` before `gzip`, where a client takes both. */
export function codingFor(acceptEncoding: string | undefined): Coding {
  const usual = preferredCoding(acceptEncoding)
  if (usual !== null) return usual
  const headers = { 'accept-encoding': acceptEncoding }
  const negotiator = new Negotiator({ headers }) as unknown as ByPreference
  return negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] }) ?? 'identity'
}

/** The package's own interface; its types know an older one. */
interface ByPreference {
  encoding: (available: Coding[], options: { preferred: Coding[] }) => Coding | undefined
}

function isCompressible(res: Response): boolean {
  const type = res.getHeader('Content-Type')
  return typeof type === 'string' && compressible(type) === true
}

function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk, (encoding ?? 'utf8') as BufferEncoding)
  return Buffer.isBuffer(chunk) ? chunk : undefined
}
