import { retryAfterMs } from '../../platform/retry-after.ts'

/** How an attempt ended, as far as the next one depends on it. */
export interface AttemptOutcome {
  /** Null when no answer came. */
  status: number | null
  timedOut: boolean
  /** `Retry-After` as the answer had it; null without one. */
  retryAfter: string | null
}

export interface RetryPolicy {
  /** Delay before each attempt, the first one's too. */
  scheduleMs: readonly number[]
  /** Least delay after an answer that says "too much" and after a time-out; 0 where an operator set the schedule. */
  overloadDelayMsMin: number
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** What holds unless an operator sets a schedule, which is then taken as it stands. */
export const standardPolicy: RetryPolicy = {
  scheduleMs: [
    0,
    5 * secondMs,
    5 * minuteMs,
    30 * minuteMs,
    2 * hourMs,
    5 * hourMs,
    10 * hourMs,
    14 * hourMs,
    20 * hourMs,
    24 * hourMs,
  ],
  overloadDelayMsMin: minuteMs,
}

const jitter = 0.2
const retryAfterMsMax = 3_600_000
const overloadStatuses = new Set([429, 502, 503, 504])

/**
 * How long to wait before the next attempt, or null when the schedule has none left. `Retry-After` may lengthen
 * the delay, up to twice as long or an hour, and never shorten it.
 * @param attempt the attempt that failed, from 1
 * @param random from 0 to 1, for the jitter
 */
export function nextDelayMs(
  policy: RetryPolicy,
  { attempt, outcome, now, random }: { attempt: number; outcome: AttemptOutcome; now: Date; random: number },
): number | null {
  const scheduled = policy.scheduleMs[attempt]
  if (scheduled === undefined) return null
  const overloaded = outcome.timedOut || (outcome.status !== null && overloadStatuses.has(outcome.status))
  const base = overloaded ? Math.max(scheduled, policy.overloadDelayMsMin) : scheduled
  const jittered = base * (1 - jitter + 2 * jitter * random)
  const delay = overloaded ? Math.max(jittered, policy.overloadDelayMsMin) : jittered
  const asked = retryAfterMs(outcome.retryAfter, now)
  if (asked === null) return Math.round(delay)
  return Math.round(Math.min(Math.max(asked, delay), Math.max(2 * delay, retryAfterMsMax)))
}
