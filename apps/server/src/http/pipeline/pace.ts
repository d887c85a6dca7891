import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { networkOf } from '../../platform/network.ts'
import { ApiError } from './errors.ts'
import { NotLetIn } from './shed.ts'

interface PaceOptions {
  perSecond: number
  /** How many may come at once without waiting. */
  burst: number
  /** How long one waits at most; who would wait longer is refused. */
  waitMsMax: number
}

/** So many in a second, in the order in which they come: the others wait their turn, which costs nothing but a timer. */
export class Pace {
  readonly #intervalMs: number
  readonly #burstMs: number
  readonly #waitMsMax: number
  /** When the next one is due. */
  #dueMs = 0

  constructor({ perSecond, burst, waitMsMax }: PaceOptions) {
    this.#intervalMs = 1_000 / perSecond
    this.#burstMs = burst * this.#intervalMs
    this.#waitMsMax = waitMsMax
  }

  /** How long to wait, in milliseconds; null: too long. */
  take(nowMs: number): number | null {
    const dueMs = Math.max(this.#dueMs, nowMs - this.#burstMs)
    const waitMs = Math.max(0, dueMs - nowMs)
    if (waitMs > this.#waitMsMax) return null
    this.#dueMs = dueMs + this.#intervalMs
    return waitMs
  }
}

/** Lets all requests together go on at a pace, or refuses them. */
export function atPace(options: PaceOptions): RequestHandler {
  const pace = new Pace(options)
  return keep(() => pace)
}

/** As many as may be known at a time; the one that was not seen for longest is forgotten. */
const networksMax = 10_000

/** The same for each network, so that one that asks for everything keeps nobody else waiting. */
export function atPaceOfNetwork(options: PaceOptions): RequestHandler {
  const paces = new LRUCache<string, Pace>({ max: networksMax })
  return keep((network) => {
    const pace = paces.get(network) ?? new Pace(options)
    paces.set(network, pace)
    return pace
  })
}

function keep(paceOf: (network: string) => Pace): RequestHandler {
  return async (req, _res, next) => {
    const waitMs = paceOf(networkOf(req.ip ?? '')).take(performance.now())
    if (waitMs === null) {
      throw new ApiError('service_unavailable', { cause: new NotLetIn('too many pages a second') })
    }
    if (waitMs > 0) await sleep(waitMs)
    next()
  }
}
