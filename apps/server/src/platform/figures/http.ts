import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { labelledCounter, plainCounter } from './gauge.ts'

/** Why a request was answered with 503. */
const unavailableReasons = [
  // Not let in: the database is not there yet, or as many requests are worked on as may be.
  'starting',
  'overload',
  // It waited too long: for its unit, or for others of its account.
  'meter',
  'busy',
  // Its account is on its way to another cell.
  'moving',
  'database',
] as const
export type UnavailableReason = (typeof unavailableReasons)[number]

const signInOutcomes = ['accepted', 'refused', 'limited'] as const
type SignInOutcome = (typeof signInOutcomes)[number]

/** Operations that are shown who somebody is. */
const signsIn: ReadonlySet<string> = new Set(['signIn', 'showSecondFactor', 'signInWithPasskey'])

/** Labels are bounded: operations and statuses of the contract, never a key or an account. */
export function createHttpFigures(registry: Registry) {
  const registers = [registry]
  const requests = new Counter({
    name: 'ratecard_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'ratecard_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const requestsInFlight = new Gauge({
    name: 'ratecard_http_requests_in_flight',
    help: 'Requests being worked on now, by what they ask: the API, the dashboard, or public pages.',
    labelNames: ['interface'],
    registers,
  })
  const requestsRecognised = plainCounter(registry, {
    name: 'ratecard_http_requests_recognised_total',
    help: 'Requests answered from memory but for their reservation.',
  })
  const requestsUnrecorded = plainCounter(registry, {
    name: 'ratecard_http_requests_unrecorded_total',
    help: 'Requests that are missing in the request log of their account, and in its counts.',
  })
  const countUnavailable = labelledCounter(registry, 'reason', unavailableReasons, {
    name: 'ratecard_http_unavailable_total',
    help: 'Requests that were answered with 503, by reason.',
  })
  const faults = plainCounter(registry, {
    name: 'ratecard_http_faults_total',
    help: 'Requests that were answered with 500, which is a fault of ours.',
  })
  const countSignIn = labelledCounter(registry, 'outcome', signInOutcomes, {
    name: 'ratecard_sign_ins_total',
    help: 'Passwords, second factors and passkeys shown to the dashboard, by outcome.',
  })
  return {
    observeRequest(operation: string, status: number, durationSeconds: number): void {
      requests.inc({ operation, status })
      durations.observe({ operation }, durationSeconds)
      if (signsIn.has(operation)) {
        const outcome = signInOutcome(status)
        if (outcome !== null) countSignIn(outcome)
      }
    },
    requestsInFlight,
    requestsRecognised,
    requestsUnrecorded,
    countUnavailable,
    countFault: () => faults.inc(),
  }
}

/** Null: nothing was judged, as where the database was away. */
function signInOutcome(status: number): SignInOutcome | null {
  if (status === 200) return 'accepted'
  if (status === 429) return 'limited'
  return status === 401 || status === 403 ? 'refused' : null
}
