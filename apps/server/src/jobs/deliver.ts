import { setTimeout } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Db } from '../database/connect.ts'
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
import type { QueueName } from '../queue/job-types.ts'
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
  lane: QueueName
  job: JobAttempt
  end: AttemptEnd | null
  /** A new job for the same delivery, and the lane it goes to. */
  next: { lane: QueueName; job: NewJob<QueueName> } | null
}

const fetchMax = 200
const pollMs = 1_000
const errorPauseMs = 1_000
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
  const listener = await options.queue.onJobs(() => deliverer.wake())
  const lanes = [deliverer.run('deliver'), deliverer.run('deliver-slow')]
  return {
    inFlight: () => deliverer.inFlight,
    stop: async () => {
      await deliverer.stop()
      await Promise.all(lanes)
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
  #signal = Promise.withResolvers<void>()

  constructor(options: DeliverOptions) {
    this.#options = options
    this.#slots = new Slots(options.limits)
    this.#endings = new Batcher(
      (endings) => this.#write(endings),
      (error) => options.logger.error({ err: error }, 'the outcome of deliveries could not be written'),
    )
  }

  get inFlight(): number {
    return this.#slots.running
  }

  /** Something may be there to send: new jobs, or a slot. */
  wake(): void {
    this.#signal.resolve()
    this.#signal = Promise.withResolvers()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    for (const { lane, job } of this.#slots.takeWaiting()) {
      await this.#options.queue.release(lane, [job]).catch(() => undefined)
    }
    await Promise.all(this.#sending)
    this.#endings.abandon()
    await this.#endings.drain()
  }

  /** Keeps the slots of a lane full. */
  async run(lane: QueueName): Promise<void> {
    const { queue, limits, logger } = this.#options
    while (!this.#stopping.signal.aborted) {
      const signal = this.#signal.promise
      const free = Math.min(this.#slots.free(lane), fetchMax)
      try {
        const jobs =
          free > 0
            ? await queue.fetch(lane, {
                jobsMax: free,
                perGroupMax: limits.perEndpoint,
                ignoreGroups: this.#slots.fullEndpoints(),
              })
            : []
        if (jobs.length > 0) await this.#begin(lane, jobs)
        if (jobs.length < fetchMax) await Promise.race([signal, this.#pause(pollMs)])
      } catch (error) {
        logger.error({ err: error }, 'deliveries could not be fetched')
        await this.#pause(errorPauseMs)
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  async #begin(lane: QueueName, jobs: readonly FetchedJob<QueueName>[]): Promise<void> {
    const { db, bodies } = this.#options
    const plans = await loadAttempts(
      db,
      jobs.map((job) => job.data.deliveryId),
    )
    await bodies.prepare(new Map(plans.map((plan) => [plan.alert_id, plan.change_ids])))
    const byDelivery = new Map(plans.map((plan) => [plan.delivery_id, plan]))
    for (const job of jobs) {
      const plan = byDelivery.get(job.data.deliveryId)
      // Ended already, or begun by a job that came after this one.
      if (!plan || plan.attempts !== job.data.attempt - 1)
        this.#endings.add({ lane, job, end: null, next: null })
      else this.#decide(lane, job, plan)
    }
  }

  #decide(lane: QueueName, job: FetchedJob<QueueName>, plan: AttemptPlan): void {
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
      const turn: PlannedTurn = { lane, job, webhookId: plan.webhook_id, accountId: plan.account_id, plan }
      this.#take(turn)
    }
  }

  #take(turn: PlannedTurn): void {
    if (!this.#slots.begin(turn)) return
    const sending = this.#send(turn).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  async #send(turn: PlannedTurn): Promise<void> {
    const { plan, lane, job } = turn
    const { agent, timeoutMs, userAgent, clock, bodies, logger, onAttempt } = this.#options
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
      body: bodies.body(plan.alert_id, now),
      deliveryId: plan.delivery_id,
      attempt,
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
      secondsToFirst: attempt === 1 ? (now.getTime() - Date.parse(plan.created_at)) / 1_000 : null,
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
    for (const waiting of this.#slots.end(turn, answered) as PlannedTurn[]) {
      if (this.#stopping.signal.aborted)
        void this.#options.queue.release(waiting.lane, [waiting.job]).catch(() => undefined)
      else if (answered) this.#take(waiting)
      else this.#putOff(waiting.lane, waiting.job, waiting.webhookId, { lane: 'deliver-slow', delayMs: 0 })
    }
    this.wake()
  }

  /** Ends the job and makes another for the same attempt: later, or in the other lane. */
  #putOff(
    lane: QueueName,
    job: FetchedJob<QueueName>,
    group: string,
    to: { lane: QueueName; delayMs: number },
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
      const ends = endings.flatMap(({ end }) => end ?? [])
      const recorded = ends.length > 0 ? await finishAttempts(trx, ends, switchOff) : new Set<string>()
      for (const lane of ['deliver', 'deliver-slow'] as const) {
        // Whoever recorded the attempt makes the next one; a worker that came too late makes none.
        const next = endings.flatMap((ending) =>
          ending.next?.lane === lane && (!ending.end || recorded.has(ending.end.deliveryId))
            ? [ending.next.job]
            : [],
        )
        if (next.length > 0) await queue.enqueue(trx, lane, next)
        await queue.complete(
          trx,
          lane,
          endings.flatMap((ending) => (ending.lane === lane ? [ending.job] : [])),
        )
      }
    })
  }
}

interface PlannedTurn extends Turn {
  plan: AttemptPlan
}

/** How a delivery ends that must not be tried now, or null when it may be. */
function stateWithoutAttempt(plan: AttemptPlan): 'cancelled' | 'inactive' | 'not_entitled' | null {
  if (plan.url === null) return 'cancelled'
  if (!plan.is_active) return 'inactive'
  return plan.is_entitled ? null : 'not_entitled'
}
