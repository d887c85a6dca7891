import type { DeliveryQueue } from '../queue/job-types.ts'
import type { FetchedJob } from '../queue/queue.ts'

/** How many attempts may be in flight at a time. */
export interface SlotLimits {
  /** In all. */
  total: number
  /** Of these, for endpoints whose last attempt timed out. */
  slow: number
  perAccount: number
  perEndpoint: number
}

interface Endpoint {
  running: number
  /** Whether it has answered the last attempt that ended here. Until then it gets one slot only. */
  answers: boolean
  /** Behind one to the same endpoint. */
  waiting: Turn[]
  /** How many are for when a slot of the lane is free. */
  ready: number
}

/** An attempt that waits for its turn, or has it. */
export interface Turn {
  lane: DeliveryQueue
  job: FetchedJob<DeliveryQueue>
  webhookId: string
  accountId: string
  /** When it was planned, by the clock of `performance.now()`. */
  readyMs: number
}

/**
 * Who is in flight. Fairness lives here: an endpoint that hangs holds one slot, then draws from the share of the slow,
 * and an account with many of them leaves the slots beyond its own limit to others.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #running: Record<DeliveryQueue, number> = { deliver: 0, 'deliver-slow': 0 }
  readonly #accounts = new Map<string, number>()
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #ready: Record<DeliveryQueue, Turn[]> = { deliver: [], 'deliver-slow': [] }
  /** Slots given back since the last time somebody asked how many attempts are wanted. */
  readonly #ended: Record<DeliveryQueue, number> = { deliver: 0, 'deliver-slow': 0 }

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running.deliver + this.#running['deliver-slow']
  }

  /**
   * How many attempts to fetch: for the free slots, and as many ahead as slots came free since the last time, because
   * as many will have by the time that these are here. Where all hang, nothing is taken ahead that others could send.
   */
  wanted(lane: DeliveryQueue): number {
    const ahead = this.#ended[lane]
    this.#ended[lane] = 0
    return this.#free(lane) + ahead - this.#ready[lane].length
  }

  /** The next attempt that has waited for a slot of its lane, if there is one. */
  nextReady(lane: DeliveryQueue): Turn | null {
    if (this.#free(lane) <= 0) return null
    const turn = this.#ready[lane].shift()
    if (!turn) return null
    this.#leaveReady(turn)
    return turn
  }

  /** Attempts that others had better send, since no slot comes free. */
  takeReady(lane: DeliveryQueue, olderThanMs = Infinity): Turn[] {
    const younger = this.#ready[lane].findIndex(({ readyMs }) => readyMs >= olderThanMs)
    const turns = this.#ready[lane].splice(0, younger < 0 ? Infinity : younger)
    for (const turn of turns) this.#leaveReady(turn)
    return turns
  }

  #leaveReady({ webhookId }: Turn): void {
    const endpoint = this.#endpoints.get(webhookId)
    if (!endpoint) return
    endpoint.ready -= 1
    this.#forgetIdle(webhookId, endpoint)
  }

  #free(lane: DeliveryQueue): number {
    const share = lane === 'deliver-slow' ? this.#limits.slow : this.#limits.total - this.#limits.slow
    return share - this.#running[lane]
  }

  /** Endpoints that can take nothing more now. */
  fullEndpoints(): string[] {
    const full: string[] = []
    for (const [webhookId, endpoint] of this.#endpoints) {
      if (endpoint.running + endpoint.waiting.length + endpoint.ready >= this.#capacity(endpoint))
        full.push(webhookId)
    }
    return full
  }

  accountIsFull(accountId: string): boolean {
    return (this.#accounts.get(accountId) ?? 0) >= this.#limits.perAccount
  }

  /** Takes a slot and returns true, or notes the attempt as waiting: behind one to the same endpoint, or for a slot. */
  begin(turn: Turn): boolean {
    const endpoint = this.#endpoints.get(turn.webhookId) ?? {
      running: 0,
      answers: false,
      waiting: [],
      ready: 0,
    }
    this.#endpoints.set(turn.webhookId, endpoint)
    if (endpoint.running >= this.#capacity(endpoint)) {
      endpoint.waiting.push(turn)
      return false
    }
    if (this.#free(turn.lane) <= 0) {
      endpoint.ready += 1
      this.#ready[turn.lane].push(turn)
      return false
    }
    endpoint.running += 1
    this.#running[turn.lane] += 1
    this.#accounts.set(turn.accountId, (this.#accounts.get(turn.accountId) ?? 0) + 1)
    return true
  }

  /** Gives a slot back. Returns the attempts that waited for it: to be begun, or put off when it did not answer. */
  end(turn: Turn, answered: boolean): Turn[] {
    this.#running[turn.lane] -= 1
    this.#ended[turn.lane] += 1
    const ofAccount = (this.#accounts.get(turn.accountId) ?? 1) - 1
    if (ofAccount === 0) this.#accounts.delete(turn.accountId)
    else this.#accounts.set(turn.accountId, ofAccount)
    const endpoint = this.#endpoints.get(turn.webhookId)
    if (!endpoint) return []
    endpoint.running -= 1
    endpoint.answers = answered
    const waiting = endpoint.waiting.splice(0)
    this.#forgetIdle(turn.webhookId, endpoint)
    return waiting
  }

  /** Attempts that wait for a turn, taken out. */
  takeWaiting(): Turn[] {
    const behind = [...this.#endpoints.values()].flatMap((endpoint) => endpoint.waiting.splice(0))
    return [...behind, ...this.takeReady('deliver'), ...this.takeReady('deliver-slow')]
  }

  /** An endpoint with nothing in flight is forgotten: what it did is in the database. */
  #forgetIdle(webhookId: string, endpoint: Endpoint): void {
    if (endpoint.running + endpoint.waiting.length + endpoint.ready === 0) this.#endpoints.delete(webhookId)
  }

  #capacity(endpoint: Endpoint): number {
    return endpoint.answers ? this.#limits.perEndpoint : 1
  }
}
