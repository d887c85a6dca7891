import { setTimeout } from 'node:timers/promises'
import { now } from '../frame/processes.ts'
import type { Cast } from './cast.ts'

/** Whom an attacker attacks, what it may use, and how long. */
export interface Target {
  port: number
  cast: Cast
  tally: Tally
  signal: AbortSignal
}

export interface Attack {
  name: string
  /** All that the attacker has: connections, bytes, requests a second. */
  means: string
  /** Goes on until the signal, and leaves no connection behind. */
  run: (target: Target) => Promise<void>
  /** Whether it got through to the server at all: an attack that was not one proves nothing. */
  landed: (tally: Tally) => boolean
}

/** What an attacker did and got. */
export interface Tally {
  /** Connections that the server's system accepted. */
  opened: number
  /** Connections that it did not. */
  refused: number
  /** Connections that the server ended, by either half. */
  cut: number
  requests: number
  /** Answers by status. */
  statuses: Record<string, number>
  receivedBytes: number
}

export function newTally(): Tally {
  return { opened: 0, refused: 0, cut: 0, requests: 0, statuses: {}, receivedBytes: 0 }
}

export function countStatus({ statuses }: Tally, status: string | number, times = 1): void {
  statuses[status] = (statuses[status] ?? 0) + times
}

/** Answers with one of these statuses, or with any. */
export function answers({ statuses }: Tally, ...wanted: readonly number[]): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (wanted.length === 0 || wanted.includes(Number(status)) ? sum + count : sum),
    0,
  )
}

/** The pages' own header, which no form can send: a script of the attacker's can. */
export const dashboardHeaders = {
  'sec-fetch-site': 'same-origin',
  'x-ratecard-dashboard': '1',
  'content-type': 'application/json',
}

/**
 * Does it so often a second, from now until the signal: when it has fallen behind, it catches up. The first is due at
 * once.
 */
export async function pace(
  perSecond: number,
  signal: AbortSignal,
  act: (number: number, dueMs: number) => void,
  tickMs = 10,
): Promise<void> {
  const startMs = now()
  for (let done = 0; !signal.aborted;) {
    const due = Math.floor(((now() - startMs) * perSecond) / 1_000) + 1
    for (; done < due; done += 1) act(done, startMs + (done * 1_000) / perSecond)
    await setTimeout(tickMs)
  }
}
