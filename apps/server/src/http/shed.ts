import type { RequestHandler } from 'express'
import { readKey } from './authenticate.ts'
import { ApiError } from './errors.ts'
import type { Metrics } from '../platform/metrics.ts'

// Far beyond what ten database connections serve in a second: whoever waits behind so many would time out.
const inFlightMax = 1_000

/** What every request needs before it is let in: a database with our schema, and fewer others than the limit. */
export class Gate {
  readonly #isReady: () => boolean
  readonly #metrics: Metrics
  #inFlight = 0

  constructor(isReady: () => boolean, metrics: Metrics) {
    this.#isReady = isReady
    this.#metrics = metrics
  }

  /** Lets a request in, to be followed by `leave`; or says why not. */
  enter(): ApiError | null {
    if (this.#inFlight >= inFlightMax) return unavailable('too many requests in flight')
    if (!this.#isReady()) return unavailable('the database is not ready')
    this.#inFlight += 1
    this.#metrics.requestsInFlight.inc()
    return null
  }

  leave(): void {
    this.#inFlight -= 1
    this.#metrics.requestsInFlight.dec()
  }
}

/** Lets a request through the gate, whoever sent it. */
export function refuseWhile(gate: Gate): RequestHandler {
  return (_req, res, next) => {
    const refusal = gate.enter()
    if (refusal) throw refusal
    res.once('close', () => gate.leave())
    next()
  }
}

export function shedLoad(gate: Gate): RequestHandler {
  const enter = refuseWhile(gate)
  return (req, res, next) => {
    if (res.locals.operation.isPublic) return next()
    // 401 comes before 503: who sends no key at all learns that even while the database is away.
    readKey(req)
    return enter(req, res, next)
  }
}

function unavailable(reason: string): ApiError {
  return new ApiError('service_unavailable', { cause: new Error(reason) })
}
