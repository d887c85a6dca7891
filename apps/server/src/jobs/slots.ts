import assert from 'node:assert/strict'
import type { AttemptInput } from '../features/webhooks/attempt-store.ts'
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

/**
 * An attempt is always in one of these states:
 *
 * | state     | what it waits for                                 | what follows                                                          |
 * | --------- | ------------------------------------------------- | --------------------------------------------------------------------- |
 * | loaded    | nothing: what it is sent with was just read       | `begin`: in flight, or one of the next two                            |
 * | waiting   | an attempt in flight to the same endpoint         | loaded anew when that was answered, else put off to the slow queue    |
 * | ready     | a slot of its queue                               | loaded when one comes free; stale after a second: others may send it  |
 * | in flight | the endpoint's answer                             | over                                                                  |
 * | over      |                                                   | its job is recorded, put off, given back, or loaded as a new attempt  |
 */
type AttemptState = 'loaded' | 'waiting' | 'ready' | 'in flight' | 'over'

const nextStates: Record<AttemptState, readonly AttemptState[]> = {
  loaded: ['waiting', 'ready', 'in flight'],
  waiting: ['over'],
  ready: ['loaded', 'over'],
  'in flight': ['over'],
  over: [],
}

export interface Attempt {
  queueName: DeliveryQueue
  job: FetchedJob<DeliveryQueue>
  input: AttemptInput
  changesJson: string
  /** By the clock of `performance.now()`. */
  loadedMs: number
  state: AttemptState
}

function enter(attempt: Attempt, state: AttemptState): void {
  assert(nextStates[attempt.state].includes(state), `${attempt.state} -> ${state}`)
  attempt.state = state
}

interface Endpoint {
  running: number
  /** Whether it has answered the last attempt that ended here. Until then it gets one slot only. */
  answers: boolean
  waiting: Attempt[]
  ready: number
}

/**
 * Which attempts are in flight. Fairness lives here: an endpoint that hangs holds one slot, then draws from the share of
 * the slow, and an account with many of them leaves the slots beyond its own limit to others.
 */
export class Slots {
  readonly #limits: SlotLimits
  readonly #running: Record<DeliveryQueue, number> = { deliver: 0, 'deliver-slow': 0 }
  readonly #accounts = new Map<string, number>()
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #ready: Record<DeliveryQueue, Attempt[]> = { deliver: [], 'deliver-slow': [] }
  /** Slots given back since `wanted` was last asked. */
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
  wanted(queueName: DeliveryQueue): number {
    const ahead = this.#ended[queueName]
    this.#ended[queueName] = 0
    return this.#free(queueName) + ahead - this.#ready[queueName].length
  }

  #free(queueName: DeliveryQueue): number {
    const { total, slow } = this.#limits
    return (queueName === 'deliver-slow' ? slow : total - slow) - this.#running[queueName]
  }

  /** Endpoints that can take nothing more now. */
  fullEndpoints(): string[] {
    return [...this.#endpoints].flatMap(([webhookId, endpoint]) => {
      const taken = endpoint.running + endpoint.waiting.length + endpoint.ready
      return taken >= this.#capacity(endpoint) ? [webhookId] : []
    })
  }

  accountIsFull(accountId: string): boolean {
    return (this.#accounts.get(accountId) ?? 0) >= this.#limits.perAccount
  }

  /** Takes a slot and returns true; or false when the attempt has to wait, behind one to its endpoint or for a slot. */
  begin(attempt: Attempt): boolean {
    const { queueName, input } = attempt
    const endpoint = this.#endpoints.get(input.webhook_id) ?? newEndpoint()
    this.#endpoints.set(input.webhook_id, endpoint)
    if (endpoint.running >= this.#capacity(endpoint)) {
      enter(attempt, 'waiting')
      endpoint.waiting.push(attempt)
      return false
    }
    if (this.#free(queueName) <= 0) {
      enter(attempt, 'ready')
      endpoint.ready += 1
      this.#ready[queueName].push(attempt)
      return false
    }
    enter(attempt, 'in flight')
    endpoint.running += 1
    this.#running[queueName] += 1
    this.#accounts.set(input.account_id, (this.#accounts.get(input.account_id) ?? 0) + 1)
    return true
  }

  /** Gives a slot back. Returns the attempts that waited for this one: they are over, their jobs go on. */
  end(attempt: Attempt, answered: boolean): Attempt[] {
    const { queueName, input } = attempt
    enter(attempt, 'over')
    this.#running[queueName] -= 1
    this.#ended[queueName] += 1
    const ofAccount = (this.#accounts.get(input.account_id) ?? 1) - 1
    if (ofAccount === 0) this.#accounts.delete(input.account_id)
    else this.#accounts.set(input.account_id, ofAccount)
    const endpoint = this.#endpoints.get(input.webhook_id)
    if (!endpoint) return []
    endpoint.running -= 1
    endpoint.answers = answered
    const waiting = takeAll(endpoint.waiting)
    this.#forgetIdle(input.webhook_id, endpoint)
    return waiting
  }

  /** The ready attempt that is next to be begun, loaded again; null when there is none, or no slot for it. */
  nextReady(queueName: DeliveryQueue): Attempt | null {
    if (this.#free(queueName) <= 0) return null
    const [attempt] = this.#takeReady(queueName, 1)
    if (!attempt) return null
    enter(attempt, 'loaded')
    return attempt
  }

  /**
   * Ready attempts that were loaded before this moment, taken out: no slot comes free, and other workers had better
   * send them.
   */
  takeStale(queueName: DeliveryQueue, beforeMs: number): Attempt[] {
    const younger = this.#ready[queueName].findIndex(({ loadedMs }) => loadedMs >= beforeMs)
    return takeAll(this.#takeReady(queueName, younger < 0 ? Infinity : younger))
  }

  /** All attempts that are not in flight, taken out. */
  takeWaiting(): Attempt[] {
    const waiting = [...this.#endpoints.values()].flatMap((endpoint) => takeAll(endpoint.waiting))
    return [...waiting, ...this.takeStale('deliver', Infinity), ...this.takeStale('deliver-slow', Infinity)]
  }

  #takeReady(queueName: DeliveryQueue, count: number): Attempt[] {
    const attempts = this.#ready[queueName].splice(0, count)
    for (const { input } of attempts) {
      const endpoint = this.#endpoints.get(input.webhook_id)
      if (!endpoint) continue
      endpoint.ready -= 1
      this.#forgetIdle(input.webhook_id, endpoint)
    }
    return attempts
  }

  /** An endpoint with nothing in flight is forgotten: what it did is in the database. */
  #forgetIdle(webhookId: string, endpoint: Endpoint): void {
    if (endpoint.running + endpoint.waiting.length + endpoint.ready === 0) this.#endpoints.delete(webhookId)
  }

  #capacity(endpoint: Endpoint): number {
    return endpoint.answers ? this.#limits.perEndpoint : 1
  }
}

const newEndpoint = (): Endpoint => ({ running: 0, answers: false, waiting: [], ready: 0 })

/** Empties the list; what was in it is over. */
function takeAll(attempts: Attempt[]): Attempt[] {
  const taken = attempts.splice(0)
  for (const attempt of taken) enter(attempt, 'over')
  return taken
}
