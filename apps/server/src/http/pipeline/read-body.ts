import { bodyBytesMax, parseJsonBody } from '@ratecard/contract/input'
import type { Request, RequestHandler, Response } from 'express'
import getRawBody from 'raw-body'
import { ApiError } from './errors.ts'
import { declaresBody } from './read-input.ts'
import { enterGate, type Gate } from './shed.ts'

/** The server does not wait for the body of a client that announces more than this. */
const droppedBytesMax = 1_024 * 1_024
/** What unfinished bodies may take together. */
const unfinishedBytesMax = 32 * 1_024 * 1_024

/** Bodies that are on their way. When they take too much the one that takes longest makes room. */
class Bodies {
  readonly #unfinished = new Map<Request, number>()
  #bytes = 0

  watch(req: Request): void {
    this.#unfinished.set(req, 0)
    req.on('data', (chunk: Buffer) => {
      const before = this.#unfinished.get(req)
      if (before === undefined) return
      this.#unfinished.set(req, before + chunk.length)
      this.#bytes += chunk.length
      for (const oldest of this.#unfinished.keys()) {
        if (this.#bytes <= unfinishedBytesMax) return
        this.forget(oldest)
        oldest.socket.destroy()
      }
    })
  }

  forget(req: Request): void {
    this.#bytes -= this.#unfinished.get(req) ?? 0
    this.#unfinished.delete(req)
  }
}

const bodies = new Bodies()

/** Reads the body of an operation. One where the contract has none is waited for too: the request may prove to be none. */
export function readBody(gate: Gate): RequestHandler {
  return async (req, res, next) => {
    if (!declaresBody(req)) return next()
    const bytes = await receiveBody(req, res, gate, res.locals.bodyBytesMax ?? bodyBytesMax)
    if (res.locals.operation.hasBody) res.locals.rawBody = bytes
    next()
  }
}

/** Receives a body outside the gate, and enters it again: a client that does not send keeps no other out. */
export async function receiveBody(req: Request, res: Response, gate: Gate, limit: number): Promise<Buffer> {
  if (!declaresBody(req)) return Buffer.alloc(0)
  res.locals.leaveGate?.()
  const length = req.headers['content-length']
  if (Number(length ?? 0) > limit) {
    if (Number(length) > droppedBytesMax) res.setHeader('Connection', 'close')
    throw tooLarge(limit)
  }
  if (req.headers.expect !== undefined) res.writeContinue()
  bodies.watch(req)
  const bytes = await getRawBody(req, { length: length ?? null, limit })
    .catch((error: unknown) => {
      // What is still to come is dropped, and the connection stays usable.
      req.resume()
      throw toFailure(error, limit)
    })
    .finally(() => bodies.forget(req))
  enterGate(gate, res)
  return bytes
}

export const parseBody: RequestHandler = (req, res, next) => {
  const { rawBody } = res.locals
  if (rawBody) req.body = parseJsonBody(rawBody)
  next()
}

function tooLarge(limit: number): ApiError {
  if (limit === bodyBytesMax) return new ApiError('payload_too_large')
  return new ApiError('payload_too_large', {
    message: `The body is larger than ${limit / 1_024} KiB. Send less.`,
  })
}

function toFailure(error: unknown, limit: number): ApiError {
  const { type } = error as { type?: string }
  if (type === 'entity.too.large') return tooLarge(limit)
  return new ApiError('invalid_request', { message: 'The body broke off.', cause: error })
}
