import type { RequestHandler, Response } from 'express'
import { logRepeated } from '../../platform/log-repeated.ts'
import type { Logger } from '../../platform/logger.ts'
import type { UnavailableReason } from '../../platform/figures/http.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { requestsAtWork } from '../limits/index.ts'
import { ApiError } from './errors.ts'

/** The interfaces, each with a gate of its own: none can starve another. */
export type Interface = 'api' | 'dashboard' | 'pages'

/** Why a request was not let in. The gate itself logs it, once a second. */
export class NotLetIn extends Error {
  override name = 'NotLetIn'
  readonly reason: Extract<UnavailableReason, 'starting' | 'overload'>

  constructor(message: string, reason: NotLetIn['reason'] = 'overload') {
    super(message)
    this.reason = reason
  }
}

export interface GateOptions {
  isReady: () => boolean
  metrics: Metrics
  logger: Logger
}

/**
 * What every request needs before it is worked on: a database with our schema, and fewer others than the limit. A
 * request counts while it is worked on, until its answer is ready; never while its client does not send the body or
 * does not take the answer.
 */
export class Gate {
  readonly #interface: Interface
  readonly #options: GateOptions
  readonly #gauge: { inc: () => void; dec: () => void }
  #atWork = 0

  constructor(name: Interface, options: GateOptions) {
    this.#interface = name
    this.#options = options
    this.#gauge = options.metrics.requestsInFlight.labels(name)
  }

  /** Lets a request in, to be followed by `leave`; or returns why not. */
  enter(): ApiError | null {
    if (this.#atWork >= requestsAtWork[this.#interface])
      return this.#refuse(new NotLetIn('too many requests in flight'))
    const refusal = this.refusalUnlessReady()
    if (refusal) return refusal
    this.#atWork += 1
    this.#gauge.inc()
    return null
  }

  /** What takes no work needs no more than this. */
  refusalUnlessReady(): ApiError | null {
    if (this.#options.isReady()) return null
    return this.#refuse(new NotLetIn('the database is not ready', 'starting'))
  }

  leave(): void {
    this.#atWork -= 1
    this.#gauge.dec()
  }

  #refuse(cause: NotLetIn): ApiError {
    const reason = cause.message
    logRepeated(this.#options.logger, 'warn', {
      kind: `${this.#interface} ${reason}`,
      facts: { interface: this.#interface, reason },
      message: 'requests refused',
    })
    return new ApiError('service_unavailable', { cause })
  }
}

/**
 * Lets a request in that has not been yet, or throws why not. It leaves at its answer, or by `leaveGate`. One that was
 * answered before, as a request that breaks off is, or whose client has gone, would never leave, and is not let in.
 */
export function enterGate(gate: Gate, res: Response): void {
  if (res.locals.leaveGate) return
  if (res.writableEnded || res.closed) {
    throw new ApiError('invalid_request', { message: 'The request broke off.' })
  }
  const refusal = gate.enter()
  if (refusal) throw refusal
  res.locals.leaveGate = () => {
    res.locals.leaveGate = undefined
    gate.leave()
  }
}

/** Lets any request through the gate, without looking at its caller. */
export function refuseWhile(gate: Gate): RequestHandler {
  return (_req, res, next) => {
    enterGate(gate, res)
    next()
  }
}
