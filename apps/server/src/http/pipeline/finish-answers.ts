import type { RequestHandler, Response } from 'express'
import compressible from 'compressible'
import { codingFor, compress, compressionThresholdBytes } from './codings.ts'

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
    const body = toBytes(chunk, encoding)
    // What is under way was compressed before, if at all.
    if (res.headersSent || !isCompressible(res)) return finish(body)
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

function isCompressible(res: Response): boolean {
  const type = res.getHeader('Content-Type')
  return typeof type === 'string' && compressible(type) === true
}

function toBytes(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk, (encoding ?? 'utf8') as BufferEncoding)
  return Buffer.isBuffer(chunk) ? chunk : undefined
}
