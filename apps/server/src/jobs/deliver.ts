import { setTimeout } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { isDatabaseUnavailable, logFailure, type Db } from '../database/connect.ts'
import { alertBody } from '../features/webhooks/alert-body.ts'
import {
  finishAttempts,
  loadAttempts,
  type AttemptEnd,
  type AttemptPlan,
  type SwitchOffRule,
} from '../features/webhooks/attempt-store.ts'
import { nextDelayMs, type RetryPolicy } from '../features/webhooks/retry-policy.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { sendWebhook, type SendResult } from '../features/webhooks/send-webhook.ts'
import type { Clock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import { deliveryQueues as lanes, type DeliveryQueue } from '../queue/job-types.ts'
import type { FetchedJob, JobAttempt, NewJob, Queue } from '../queue/queue.ts'
import type { AlertBodies } from './alert-bodies.ts'
import { Batcher } from './batcher.ts'
import { Slots, type SlotLimits, type Turn } from './slots.ts'

export interface DeliverOptions {
  db: Db
  queue: Queue
  secrets: SecretBox
  agent: Dispatcher
  bodies: AlertBodies
  retry: RetryPolicy
  switchOff: SwitchOffRule
  limits: SlotLimits
  timeoutMs: number
  userAgent: string
  clock: Clock
  logger: Logger
  onAttempt?: (attempt: {
    errorClass: string | null
    durationSeconds: number
    secondsToFirst: number | null
  }) => void
}

/** What to write when an attempt is over, all in one transaction: the outcome, the next attempt, the end of the job. */
interface Ending {
  lane: DeliveryQueue
  job: JobAttempt
  end: AttemptEnd | null
  /** A new job for the same delivery, and the lane it goes to. */
  next: { lane: DeliveryQueue; job: NewJob<DeliveryQueue> } | null
}

const fetchMax = 200
const pollMs = 1_000
const errorPauseMs = 1_000
/** How long an attempt that was fetched ahead waits for its slot before it is planned anew, and before it is given back. */
// What it is planned with (entitlement, activity, address, secret) must hold when it is sent: this is how old it may be.
const freshMsMax = 20
const readyMsMax = 1_000
/** How long a job is put off whose account has no slot free, or whose secret cannot be opened. */
const putOffMs = 1_000
const brokenSecretMs = 60_000

export interface Delivering {
  inFlight: () => number
  /** Begins nothing more, lets what is in flight come to its end, and gives the rest back. */
  stop: () => Promise<void>
}

/** Sends what is due, until stopped. */
export async function startDelivering(options: DeliverOptions): Promise<Delivering> {
  const deliverer = new Deliverer(options)
  const listener = await options.queue.onJobs(() => lanes.forEach((lane) => deliverer.wake(lane)))
  const running = lanes.map((lane) => deliverer.run(lane))
  return {
    inFlight: () => deliverer.inFlight,
    stop: async () => {
      deliverer.beginNoMore()
      await Promise.all(running)
      await deliverer.finish()
      await listener.close()
    },
  }
}

class Deliverer {
  readonly #options: DeliverOptions
  readonly #slots: Slots
  readonly #endings: Batcher<Ending>
  readonly #stopping = new AbortController()
  readonly #sending = new Set<Promise<void>>()
  readonly #signals = {
    deliver: Promise.withResolvers<void>(),
    'deliver-slow': Promise.withResolvers<void>(),
  }

  constructor(options: DeliverOptions) {
    this.#options = options
    this.#slots = new Slots(options.limits)
    this.#endings = new Batcher({
      write: (endings) => this.#write(endings),
      isOutage: isDatabaseUnavailable,
      onError: (error) => logFailure(options.logger, error, 'the outcome of deliveries could not be written'),
    })
  }

  get inFlight(): number {
    return this.#slots.running
  }

  /**
   * Something may be there to send: new jobs, or a slot. For one lane: the slow one looked at its queue, for nothing, each
   * time that the other had a slot free; that was half of all fetches.
   */
  wake(lane: DeliveryQueue): void {
    this.#signals[lane].resolve()
    this.#signals[lane] = Promise.withResolvers()
  }

  beginNoMore(): void {
    this.#stopping.abort()
    lanes.forEach((lane) => this.wake(lane))
  }

  /** Once the lanes have ended: brings what they began to its end. */
  async finish(): Promise<void> {
    for (const { lane, job } of this.#slots.takeWaiting()) await this.#giveBack(lane, [job])
    while (this.#sending.size > 0) await Promise.all(this.#sending)
    this.#endings.abandon()
    await this.#endings.drain()
  }

  /** Keeps the slots of a lane full. */
  async run(lane: DeliveryQueue): Promise<void> {
    const { queue, limits, logger } = this.#options
    while (!this.#stopping.signal.aborted) {
      const signal = this.#signals[lane].promise
      try {
        const stale = this.#slots.takeReady(lane, performance.now() - readyMsMax)
        if (stale.length > 0)
          await this.#giveBack(
            lane,
            stale.map(({ job }) => job),
          )
        const wanted = Math.min(this.#slots.wanted(lane), fetchMax)
        const startMs = performance.now()
        const jobs =
          wanted > 0
            ? await queue.fetch(lane, {
                jobsMax: wanted,
                perGroupMax: limits.perEndpoint,
                ignoreGroups: this.#slots.fullEndpoints(),
              })
            : []
        const fetchMs = performance.now() - startMs
        if (this.#stopping.signal.aborted) await this.#giveBack(lane, jobs)
        else if (jobs.length > 0) await this.#begin(lane, jobs)
        // Few came because an endpoint with many queued stands first: once it is full, the rest is looked at. None
        // came, and it took long: what is queued is for endpoints that are full, and is not walked over all the time.
        else await Promise.all([Promise.race([signal, this.#pause(pollMs)]), this.#pause(fetchMs)])
      } catch (error) {
        logFailure(logger, error, 'deliveries could not be fetched')
        await this.#pause(errorPauseMs)
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  async #begin(lane: DeliveryQueue, jobs: readonly FetchedJob<DeliveryQueue>[]): Promise<void> {
    const { db, bodies } = this.#options
    const plans = await loadAttempts(
      db,
      jobs.map((job) => job.data.deliveryId),
    )
    const changesJson = await bodies.load(new Map(plans.map((plan) => [plan.alert_id, plan.change_ids])))
    const byDelivery = new Map(plans.map((plan) => [plan.delivery_id, plan]))
    for (const job of jobs) {
      const plan = byDelivery.get(job.data.deliveryId)
      // Ended already, or begun by a job that came after this one.
      if (!plan || plan.attempts !== job.data.attempt - 1)
        this.#endings.add({ lane, job, end: null, next: null })
      else this.#decide(lane, job, plan, changesJson.get(plan.alert_id) ?? '[]')
    }
  }

  #decide(lane: DeliveryQueue, job: FetchedJob<DeliveryQueue>, plan: AttemptPlan, changesJson: string): void {
    const without = stateWithoutAttempt(plan)
    if (without !== null) {
      const end: AttemptEnd = {
        deliveryId: plan.delivery_id,
        webhookId: plan.webhook_id,
        attempt: null,
        startedAtMs: this.#options.clock.now().getTime(),
        result: null,
        state: without,
        nextDelayMs: null,
      }
      this.#endings.add({ lane, job, end, next: null })
    } else if (lane === 'deliver' && plan.is_slow) {
      this.#putOff(lane, job, plan.webhook_id, { lane: 'deliver-slow', delayMs: 0 })
    } else if (this.#slots.accountIsFull(plan.account_id)) {
      this.#putOff(lane, job, plan.webhook_id, { lane, delayMs: putOffMs })
    } else {
      const turn = {
        lane,
        job,
        webhookId: plan.webhook_id,
        accountId: plan.account_id,
        plan,
        changesJson,
        readyMs: performance.now(),
      }
      this.#take(turn)
    }
  }

  #take(turn: PlannedTurn): void {
    if (this.#slots.begin(turn)) this.#keep(this.#send(turn))
  }

  /** Work that goes on by itself, and that stopping waits for. */
  #keep(work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => logFailure(this.#options.logger, error, 'a delivery stopped midway'))
      .finally(() => this.#sending.delete(kept))
    this.#sending.add(kept)
  }

  /** Lets others have jobs that were fetched and not begun. */
  async #giveBack(lane: DeliveryQueue, jobs: readonly FetchedJob<DeliveryQueue>[]): Promise<void> {
    await this.#options.queue.release(lane, jobs).catch((error: unknown) => {
      this.#options.logger.warn(
        { err: error },
        'jobs could not be given back: they come again when they expire',
      )
    })
  }

  async #send(turn: PlannedTurn): Promise<void> {
    const { plan, lane, job } = turn
    const { agent, timeoutMs, userAgent, clock, logger, onAttempt } = this.#options
    const now = clock.now()
    const attempt = plan.attempts + 1
    const secret = this.#openSecret(plan)
    if (secret === null || plan.url === null) {
      this.#release(turn, true)
      this.#putOff(lane, job, plan.webhook_id, { lane, delayMs: brokenSecretMs })
      return
    }
    const request = {
      url: plan.url,
      secret,
      body: alertBody(turn.changesJson, now),
      deliveryId: plan.delivery_id,
      attempt,
      at: now,
      hasStandardHeaders: plan.standard_headers,
    }
    const result = await sendWebhook(request, { agent, timeoutMs, userAgent })
    logger.info(
      {
        delivery: plan.delivery_id,
        webhook_id: plan.webhook_id,
        account_id: plan.account_id,
        attempt,
        status: result.status,
        error_class: result.errorClass,
        duration_ms: result.durationMs,
      },
      'delivery attempt',
    )
    onAttempt?.({
      errorClass: result.errorClass,
      durationSeconds: result.durationMs / 1_000,
      secondsToFirst: attempt === 1 ? (now.getTime() - plan.created_at_ms) / 1_000 : null,
    })
    this.#endings.add(this.#endingOf(turn, attempt, now, result))
    this.#release(turn, result.errorClass !== 'timeout')
  }

  #endingOf({ lane, job, plan }: PlannedTurn, attempt: number, now: Date, result: SendResult): Ending {
    const end = {
      deliveryId: plan.delivery_id,
      webhookId: plan.webhook_id,
      attempt,
      startedAtMs: now.getTime(),
      result,
    }
    if (result.errorClass === null)
      return { lane, job, end: { ...end, state: 'delivered', nextDelayMs: null }, next: null }
    const timedOut = result.errorClass === 'timeout'
    const outcome = { status: result.status, timedOut, retryAfter: result.retryAfter }
    const delayMs = nextDelayMs(this.#options.retry, {
      attempt,
      outcome,
      now: this.#options.clock.now(),
      random: Math.random(),
    })
    // 410 switches the subscription off: there is nothing to try again.
    if (delayMs === null || result.status === 410) {
      return { lane, job, end: { ...end, state: 'exhausted', nextDelayMs: null }, next: null }
    }
    const data = { deliveryId: plan.delivery_id, attempt: attempt + 1 }
    return {
      lane,
      job,
      end: { ...end, state: 'pending', nextDelayMs: delayMs },
      next: { lane: timedOut ? 'deliver-slow' : 'deliver', job: { data, group: plan.webhook_id, delayMs } },
    }
  }

  #release(turn: Turn, answered: boolean): void {
    for (const { lane, job, webhookId } of this.#slots.end(turn, answered)) {
      if (this.#stopping.signal.aborted) this.#keep(this.#giveBack(lane, [job]))
      // From the start: what it was to be sent with may be out of date by now.
      else if (answered) this.#keep(this.#begin(lane, [job]))
      else this.#putOff(lane, job, webhookId, { lane: 'deliver-slow', delayMs: 0 })
    }
    this.#takeReady(turn.lane)
    this.wake(turn.lane)
  }

  /** Begins what has waited for a slot; what has done so for long is planned anew, all in one round trip. */
  #takeReady(lane: DeliveryQueue): void {
    if (this.#stopping.signal.aborted) return
    const outdated: FetchedJob<DeliveryQueue>[] = []
    for (let turn = this.#slots.nextReady(lane); turn; turn = this.#slots.nextReady(lane)) {
      const { job, plan, changesJson } = turn as PlannedTurn
      if (performance.now() - turn.readyMs > freshMsMax) outdated.push(job)
      else this.#decide(lane, job, plan, changesJson)
    }
    if (outdated.length > 0) this.#keep(this.#begin(lane, outdated))
  }

  /** Ends the job and makes another for the same attempt: later, or in the other lane. */
  #putOff(
    lane: DeliveryQueue,
    job: FetchedJob<DeliveryQueue>,
    group: string,
    to: { lane: DeliveryQueue; delayMs: number },
  ): void {
    const next = { lane: to.lane, job: { data: job.data, group, delayMs: to.delayMs } }
    this.#endings.add({ lane, job, end: null, next })
  }

  #openSecret(plan: AttemptPlan): string | null {
    if (!plan.secret_ciphertext || plan.secret_key_id === null) return null
    try {
      const sealed = { ciphertext: plan.secret_ciphertext, keyId: plan.secret_key_id }
      return this.#options.secrets.open(sealed, { webhookId: plan.webhook_id, accountId: plan.account_id })
    } catch (error) {
      this.#options.logger.error(
        { err: error, webhook_id: plan.webhook_id },
        'a webhook secret cannot be opened',
      )
      return null
    }
  }

  async #write(endings: readonly Ending[]): Promise<void> {
    const { db, queue, switchOff } = this.#options
    await db.transaction().execute(async (trx) => {
      const ends = firstOfEach(endings.flatMap(({ end }) => end ?? []))
      const counted = new Set(ends)
      const recorded = ends.length > 0 ? await finishAttempts(trx, ends, switchOff) : new Set<string>()
      for (const lane of lanes) {
        const own = endings.filter((ending) => ending.lane === lane)
        const ended = await queue.complete(
          trx,
          lane,
          own.map(({ job }) => job),
        )
        // Whoever recorded the attempt makes the next one, and whoever ended the job puts it off. A worker that came
        // too late makes none, nor does one that writes again because it did not hear that it had.
        const goesOn = own.filter(({ end, job }) =>
          end ? counted.has(end) && recorded.has(end.deliveryId) : ended.has(job.id),
        )
        for (const target of lanes) {
          const next = goesOn.flatMap((ending) => (ending.next?.lane === target ? [ending.next.job] : []))
          if (next.length > 0) await queue.enqueue(trx, target, next)
        }
      }
    })
  }
}

interface PlannedTurn extends Turn {
  plan: AttemptPlan
  changesJson: string
}

/** One end per delivery: a job that was taken over while this process stood still may have ended here twice. */
function firstOfEach(ends: readonly AttemptEnd[]): AttemptEnd[] {
  const seen = new Set<string>()
  return ends.filter(({ deliveryId }) => !seen.has(deliveryId) && seen.add(deliveryId))
}

/** How a delivery ends that must not be tried now, or null when it may be. */
function stateWithoutAttempt(plan: AttemptPlan): 'cancelled' | 'inactive' | 'not_entitled' | null {
  if (plan.url === null) return 'cancelled'
  if (!plan.is_active) return 'inactive'
  return plan.is_entitled ? null : 'not_entitled'
}
