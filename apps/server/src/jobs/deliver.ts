import { setTimeout } from 'node:timers/promises'
import { logFailure } from '../database/connect.ts'
import { loadAttempts, type AttemptInput } from '../features/webhooks/attempt-store.ts'
import { deliveryQueues, type DeliveryQueue } from '../queue/job-types.ts'
import type { PutOffReason } from '../platform/figures/deliveries.ts'
import { traced } from '../platform/tracing.ts'
import type { FetchedJob } from '../queue/queue.ts'
import type { AlertBodies } from './alert-bodies.ts'
import type { Batcher } from './batcher.ts'
import { createOutcomeRecorder, type JobOutcome, type RecordOptions } from './record-outcomes.ts'
import { sendAttempt, type AttemptOptions } from './send-attempt.ts'
import { Slots, type Attempt, type SlotLimits } from './slots.ts'

export interface DeliverOptions extends RecordOptions, AttemptOptions {
  bodies: AlertBodies
  limits: SlotLimits
  onPutOff?: (reason: PutOffReason) => void
}

type DeliveryJob = FetchedJob<DeliveryQueue>

const fetchMax = 200
const pollMs = 1_000
const errorPauseMs = 1_000
// What an attempt is sent with (entitlement, activity, address, secret) must hold at that moment: this is how old it
// may be.
const inputAgeMsMax = 20
/** How long an attempt that was fetched ahead waits for its slot before it is given back. */
const readyMsMax = 1_000
/** How long a job is put off whose account has no slot free or moves to another cell, or whose secret cannot be opened. */
const accountFullMs = 1_000
const brokenSecretMs = 60_000

export interface Delivering {
  inFlight: () => number
  /** Outcomes that are not written yet. */
  unwritten: () => number
  /** Begins nothing more, lets what is in flight come to its end, and gives the rest back. */
  stop: () => Promise<void>
}

/** Sends what is due, until stopped. */
export async function startDelivering(options: DeliverOptions): Promise<Delivering> {
  const scheduler = new DeliveryScheduler(options)
  const listener = await options.queue.onJobs(() => scheduler.wakeAll())
  const running = deliveryQueues.map((queueName) => scheduler.run(queueName))
  return {
    inFlight: () => scheduler.inFlight,
    unwritten: () => scheduler.unwritten,
    stop: async () => {
      scheduler.beginNoMore()
      await Promise.all(running)
      await scheduler.finish()
      await listener.close()
    },
  }
}

/** Decides when each job is sent, put off, or given back. Its attempts and their states are in `slots.ts`. */
class DeliveryScheduler {
  readonly #options: DeliverOptions
  readonly #slots: Slots
  readonly #outcomes: Batcher<JobOutcome>
  readonly #stopping = new AbortController()
  /** Work that goes on by itself, and that stopping waits for. */
  readonly #underway = new Set<Promise<void>>()
  readonly #signals = {
    deliver: Promise.withResolvers<void>(),
    'deliver-slow': Promise.withResolvers<void>(),
  }

  constructor(options: DeliverOptions) {
    this.#options = options
    this.#slots = new Slots(options.limits)
    this.#outcomes = createOutcomeRecorder(options)
  }

  get inFlight(): number {
    return this.#slots.running
  }

  get unwritten(): number {
    return this.#outcomes.size
  }

  wakeAll(): void {
    for (const queueName of deliveryQueues) this.#wake(queueName)
  }

  /**
   * Something may be there to send: new jobs, or a slot. For one queue: the slow one was looked at, for nothing, each
   * time that the other had a slot free; that was half of all fetches.
   */
  #wake(queueName: DeliveryQueue): void {
    this.#signals[queueName].resolve()
    this.#signals[queueName] = Promise.withResolvers()
  }

  beginNoMore(): void {
    this.#stopping.abort()
    this.wakeAll()
  }

  /** Once `run` has ended for each queue: brings what they began to its end. */
  async finish(): Promise<void> {
    for (const { queueName, job } of this.#slots.takeWaiting()) await this.#giveBack(queueName, [job])
    while (this.#underway.size > 0) await Promise.all(this.#underway)
    this.#outcomes.abandon()
    await this.#outcomes.drain()
  }

  /** Keeps the slots of a queue full. */
  async run(queueName: DeliveryQueue): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const signal = this.#signals[queueName].promise
      try {
        const stale = this.#slots.takeStale(queueName, performance.now() - readyMsMax)
        const staleJobs = stale.map(({ job }) => job)
        if (staleJobs.length > 0) await this.#giveBack(queueName, staleJobs)
        const startMs = performance.now()
        const jobs = await this.#fetch(queueName)
        const fetchMs = performance.now() - startMs
        if (this.#stopping.signal.aborted) await this.#giveBack(queueName, jobs)
        else if (jobs.length > 0) await this.#load(queueName, jobs)
        // Few came because an endpoint with many queued stands first: once it is full, the rest is looked at. None
        // came, and it took long: what is queued is for endpoints that are full, and is not walked over all the time.
        else await Promise.all([Promise.race([signal, this.#pause(pollMs)]), this.#pause(fetchMs)])
      } catch (error) {
        logFailure(this.#options.logger, error, 'deliveries could not be fetched')
        await this.#pause(errorPauseMs)
      }
    }
  }

  async #fetch(queueName: DeliveryQueue): Promise<DeliveryJob[]> {
    const jobsMax = Math.min(this.#slots.wanted(queueName), fetchMax)
    if (jobsMax <= 0) return []
    const perGroupMax = this.#options.limits.perEndpoint
    return this.#options.queue.fetch(queueName, {
      jobsMax,
      perGroupMax,
      ignoreGroups: this.#slots.fullEndpoints(),
    })
  }

  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  /** Reads what the attempts of these jobs need, as it stands now, and begins them. */
  async #load(queueName: DeliveryQueue, jobs: readonly DeliveryJob[]): Promise<void> {
    const { db, bodies } = this.#options
    const deliveryIds = jobs.map((job) => job.data.deliveryId)
    const inputs = await loadAttempts(db, deliveryIds)
    const changesJson = await bodies.load(inputs)
    const byDelivery = new Map(inputs.map((input) => [input.delivery_id, input]))
    const loadedMs = performance.now()
    for (const job of jobs) {
      const input = byDelivery.get(job.data.deliveryId)
      // Ended already, or begun by a job that came after this one.
      if (!input || input.attempts !== job.data.attempt - 1) {
        this.#outcomes.add({ queueName, job, end: null, next: null })
        continue
      }
      const changes = changesJson.get(input.alert_id) ?? '[]'
      this.#begin({ queueName, job, input, changesJson: changes, loadedMs, state: 'loaded' })
    }
  }

  #begin(attempt: Attempt): void {
    const { queueName, job, input } = attempt
    const state = stateWithoutAttempt(input)
    if (input.is_moving) this.#putOff(attempt, queueName, accountFullMs, 'account_moving')
    else if (state !== null) {
      const end = {
        deliveryId: input.delivery_id,
        webhookId: input.webhook_id,
        attempt: null,
        startedAtMs: this.#options.clock.now().getTime(),
        result: null,
        state,
        nextDelayMs: null,
      }
      this.#outcomes.add({ queueName, job, end, next: null })
    } else if (queueName === 'deliver' && input.is_slow)
      this.#putOff(attempt, 'deliver-slow', 0, 'slow_endpoint')
    else if (this.#slots.accountIsFull(input.account_id))
      this.#putOff(attempt, queueName, accountFullMs, 'account_full')
    else if (this.#slots.begin(attempt)) this.#track(this.#send(attempt))
  }

  async #send(attempt: Attempt): Promise<void> {
    const { delivery_id, webhook_id, attempts } = attempt.input
    const sent = await traced(
      {
        name: 'deliver',
        kind: 'client',
        parent: 'none',
        attributes: {
          'ratecard.delivery_id': delivery_id,
          'ratecard.webhook_id': webhook_id,
          'ratecard.attempt': attempts + 1,
        },
      },
      (span) => sendAttempt(attempt, this.#options, span),
    )
    if (sent) this.#outcomes.add(sent.outcome)
    else this.#putOff(attempt, attempt.queueName, brokenSecretMs, 'secret_unreadable')
    this.#free(attempt, sent?.answered ?? true)
  }

  /** Gives the attempt's slot back, and goes on with what waited for it. */
  #free(attempt: Attempt, answered: boolean): void {
    for (const waited of this.#slots.end(attempt, answered)) {
      const { queueName, job } = waited
      if (this.#stopping.signal.aborted) this.#track(this.#giveBack(queueName, [job]))
      // From the start: what it was to be sent with may be out of date by now.
      else if (answered) this.#track(this.#load(queueName, [job]))
      else this.#putOff(waited, 'deliver-slow', 0, 'slow_endpoint')
    }
    this.#beginReady(attempt.queueName)
    this.#wake(attempt.queueName)
  }

  /** Begins what has waited for a slot; what has done so for long is read anew, all in one round trip. */
  #beginReady(queueName: DeliveryQueue): void {
    if (this.#stopping.signal.aborted) return
    const outdated: DeliveryJob[] = []
    for (let next = this.#slots.nextReady(queueName); next; next = this.#slots.nextReady(queueName)) {
      if (performance.now() - next.loadedMs > inputAgeMsMax) outdated.push(next.job)
      else this.#begin(next)
    }
    if (outdated.length > 0) this.#track(this.#load(queueName, outdated))
  }

  /** Ends the job and makes another for the same attempt: later, or in the other queue. */
  #putOff(
    { queueName, job, input }: Attempt,
    to: DeliveryQueue,
    delayMs: number,
    reason: PutOffReason,
  ): void {
    this.#options.onPutOff?.(reason)
    const next = { queueName: to, job: { data: job.data, group: input.webhook_id, delayMs } }
    this.#outcomes.add({ queueName, job, end: null, next })
  }

  /** Lets other workers have jobs that were fetched and not begun. */
  async #giveBack(queueName: DeliveryQueue, jobs: readonly DeliveryJob[]): Promise<void> {
    await this.#options.queue.release(queueName, jobs).catch((error: unknown) => {
      const { logger } = this.#options
      logger.warn({ err: error }, 'jobs could not be given back: they come again when they expire')
    })
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => logFailure(this.#options.logger, error, 'a delivery stopped midway'))
      .finally(() => this.#underway.delete(tracked))
    this.#underway.add(tracked)
  }
}

/** How a delivery ends that must not be tried now, or null when it may be. */
function stateWithoutAttempt(input: AttemptInput): 'cancelled' | 'inactive' | 'not_entitled' | null {
  if (input.url === null) return 'cancelled'
  if (!input.is_active) return 'inactive'
  return input.is_entitled ? null : 'not_entitled'
}
