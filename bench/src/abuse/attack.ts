import type { Cast } from './cast.ts'
import type { Tally } from './tally.ts'

/** Whom an attacker attacks, and what it may use. */
export interface Target {
  port: number
  cast: Cast
}

export interface Attack {
  name: string
  /** All that the attacker has: connections, bytes, requests a second. */
  means: string
  /** Goes on until the signal, and leaves no connection behind. */
  run: (target: Target, tally: Tally, signal: AbortSignal) => Promise<void>
  /** Whether it got through to the server at all: an attack that was not one proves nothing. */
  landed: (tally: Tally) => boolean
}

/** The pages' own header, which no form can send: a script of the attacker's can. */
export const dashboardHeaders = {
  'sec-fetch-site': 'same-origin',
  'x-ratecard-dashboard': '1',
  'content-type': 'application/json',
}
