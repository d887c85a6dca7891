import type { QueueName } from '../queue/job-types.ts'
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
  waiting: Turn[]
}

/** An attempt that waits for its turn, or has it. */
export interface Turn {
  lane: QueueName
  job: FetchedJob<QueueName>
  webhookId: string
  accountId: string
}

/**
 * Who is in flight. Fairness lives here: an endpoint that hangs holds one slot, then draws from the share of the slow,
 * and an account with many of them leaves the slots beyond its own limit to others.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #running: Record<QueueName, number> = { deliver: 0, 'deliver-slow': 0 }
  readonly #accounts = new Map<string, number>()
  readonly #endpoints = new Map<string, Endpoint>()

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running.deliver + this.#running['deliver-slow']
  }

  free(lane: QueueName): number {
    const share = lane === 'deliver-slow' ? this.#limits.slow : this.#limits.total - this.#limits.slow
    return share - this.#running[lane]
  }

  /** Endpoints that can take nothing more now. */
  fullEndpoints(): string[] {
    const full: string[] = []
    for (const [webhookId, endpoint] of this.#endpoints) {
      if (endpoint.running + endpoint.waiting.length >= this.#capacity(endpoint)) full.push(webhookId)
    }
    return full
  }

  accountIsFull(accountId: string): boolean {
    return (this.#accounts.get(accountId) ?? 0) >= this.#limits.perAccount
  }

  /** Takes a slot and returns true, or notes the attempt as waiting behind one to the same endpoint. */
  begin(turn: Turn): boolean {
    const endpoint = this.#endpoints.get(turn.webhookId) ?? { running: 0, answers: false, waiting: [] }
    this.#endpoints.set(turn.webhookId, endpoint)
    if (endpoint.running >= this.#capacity(endpoint)) {
      endpoint.waiting.push(turn)
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
    const ofAccount = (this.#accounts.get(turn.accountId) ?? 1) - 1
    if (ofAccount === 0) this.#accounts.delete(turn.accountId)
    else this.#accounts.set(turn.accountId, ofAccount)
    const endpoint = this.#endpoints.get(turn.webhookId)
    if (!endpoint) return []
    endpoint.running -= 1
    endpoint.answers = answered
    const waiting = endpoint.waiting.splice(0)
    // An endpoint with nothing in flight is forgotten: what it did is in the database.
    if (endpoint.running === 0 && waiting.length === 0) this.#endpoints.delete(turn.webhookId)
    return waiting
  }

  /** Attempts that wait for a turn, taken out. */
  takeWaiting(): Turn[] {
    return [...this.#endpoints.values()].flatMap((endpoint) => endpoint.waiting.splice(0))
  }

  #capacity(endpoint: Endpoint): number {
    return endpoint.answers ? this.#limits.perEndpoint : 1
  }
}
