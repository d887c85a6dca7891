import type { Registry } from 'prom-client'
import { labelledCounter, plainCounter, plainHistogram, readGauge, sharing } from './gauge.ts'

interface AttemptFigures {
  errorClass: string | null
  durationSeconds: number
  /** From publication to the first attempt; null at later ones. */
  secondsToFirst: number | null
}

interface DeliverySources {
  inFlight: () => number
  /** Outcomes in memory that the database does not have yet. */
  unwritten: () => number
  /** Of all workers together. */
  readDue: () => Promise<{ count: number; oldestSeconds: number; scheduled: number }>
}

/** Why an attempt was put off that was about to be made. */
const putOffReasons = ['account_full', 'account_moving', 'slow_endpoint', 'secret_unreadable'] as const
export type PutOffReason = (typeof putOffReasons)[number]

const mailOutcomes = ['sent', 'failed', 'given_up'] as const
export type MailOutcome = (typeof mailOutcomes)[number]

const outcomes = [
  ...['ok', 'timeout', 'dns', 'tls', 'connect', 'blocked_address', 'redirect'],
  ...['http_1xx', 'http_4xx', 'http_5xx'],
]

export function createDeliveryFigures(registry: Registry) {
  const countAttempt = labelledCounter(registry, 'outcome', outcomes, {
    name: 'ratecard_delivery_attempts_total',
    help: 'Attempts to deliver an alert, by outcome: ok, or the class of the error.',
  })
  const secretsUnreadable = plainCounter(registry, {
    name: 'ratecard_delivery_secrets_unreadable_total',
    help: 'Attempts that were put off because SECRETS_KEY lacks the key of a webhook secret.',
  })
  const countPutOff = labelledCounter(registry, 'reason', putOffReasons, {
    name: 'ratecard_deliveries_put_off_total',
    help: 'Attempts that were put off before anything was sent, by reason: slots of the account are full, it moves to another cell, the endpoint is slow and waits among its like, or its secret cannot be read.',
  })
  const attemptDurations = plainHistogram(registry, [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15], {
    name: 'ratecard_delivery_attempt_duration_seconds',
    help: 'Time an attempt took.',
  })
  const firstAttempts = plainHistogram(registry, [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300], {
    name: 'ratecard_delivery_first_attempt_seconds',
    help: 'Time from the publication of a change to the first attempt of its delivery.',
  })
  let sources: DeliverySources | null = null
  readGauge(registry, {
    name: 'ratecard_deliveries_in_flight',
    help: 'Attempts in flight in this process.',
    read: () => sources?.inFlight() ?? 0,
  })
  readGauge(registry, {
    name: 'ratecard_delivery_outcomes_unwritten',
    help: 'Outcomes of attempts that this process has in memory, and the database does not have yet.',
    read: () => sources?.unwritten() ?? 0,
  })
  // Each worker sees those of all: they are one figure, however many export it. A process without a worker, and one
  // whose database does not answer, has none.
  const ofAll = (
    name: string,
    help: string,
    of: (due: Awaited<ReturnType<DeliverySources['readDue']>>) => number,
  ) =>
    readGauge(registry, {
      name,
      help,
      aggregator: 'max',
      async read() {
        const due = await sources?.readDue()
        return due === undefined ? null : of(due)
      },
    })
  ofAll(
    'ratecard_deliveries_due',
    'Deliveries of all workers that should have been tried by now. Combine with max.',
    ({ count }) => count,
  )
  ofAll(
    'ratecard_deliveries_oldest_due_seconds',
    'How long the delivery that is due longest has been due. Combine with max.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  ofAll(
    'ratecard_deliveries_scheduled',
    'Deliveries of all workers that are kept for a later attempt. Combine with max.',
    ({ scheduled }) => scheduled,
  )
  const countMail = labelledCounter(registry, 'outcome', mailOutcomes, {
    name: 'ratecard_mails_total',
    help: 'Mails by outcome: sent, failed and tried again, or given_up.',
  })
  return {
    countUnreadableSecret: () => secretsUnreadable.inc(),
    countPutOff,
    countMail,
    observeAttempt({ errorClass, durationSeconds, secondsToFirst }: AttemptFigures): void {
      // Statuses are the endpoint's to choose: by hundreds they stay few.
      countAttempt(errorClass?.replace(/^http_(\d)\d\d$/, 'http_$1xx') ?? 'ok')
      attemptDurations.observe(durationSeconds)
      if (secondsToFirst !== null) firstAttempts.observe(secondsToFirst)
    },
    /** Where the figures of what is still to be sent come from, once a worker runs here. */
    watchDeliveries({ readDue, ...others }: DeliverySources): void {
      sources = { ...others, readDue: sharing(readDue) }
    },
  }
}
