/**
 * Whether a process should get requests.
 *
 * - `ok`: it should.
 * - `degraded`: it should, and answers 503 to those that need its database. All processes share that, so a balancer that
 *   took them out for it would have nobody left to answer.
 * - `unavailable`: it should not. It starts, or it stops.
 */
export type Readiness = { status: 'ok' } | { status: 'degraded' | 'unavailable'; reason: string }

export const ok: Readiness = { status: 'ok' }
export const unavailable = (reason: string): Readiness => ({ status: 'unavailable', reason })
export const degradedBy = (reason: string | null): Readiness =>
  reason === null ? ok : { status: 'degraded', reason }

/** Of several processes that are one server: the worst. */
export function combineReadiness(all: readonly Readiness[]): Readiness {
  const found = (status: Readiness['status']) => all.find((readiness) => readiness.status === status)
  return found('unavailable') ?? found('degraded') ?? ok
}
