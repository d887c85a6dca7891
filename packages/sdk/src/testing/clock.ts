import { isDateText, parseInstant } from '@ratecard/contract/instant'

/** Microseconds since 1970 as the text the service sends. Exact up to the year 2255. */
export function instantText(micros: number): string {
  const ms = Math.floor(micros / 1000)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros - ms * 1000).padStart(3, '0')}Z`
}

/** A time that a test gives, as the service would send it. */
export function givenInstant(name: string, given: Date | string): string {
  const instant = parseInstant(given instanceof Date ? given.toISOString() : given)
  if (instant !== null) return instant
  throw new TypeError(`\`${name}\` must be a Date or a time such as 2026-01-31T12:00:00Z.`)
}

/** An instant as the service writes it; a plain date stays one. The text has been checked. */
export function dateOrInstantText(text: string): string {
  return isDateText(text) ? text : (parseInstant(text) ?? text)
}

/** The clock of the fake: it stands still until it is moved, or follows a function. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  nowMs: () => number
  nowText: () => string
  /** The UTC day, `YYYY-MM-DD`. */
  day: () => string
  /** The next UTC midnight, in milliseconds since 1970. */
  midnightMs: () => number
  advance: (ms: number) => void
}

const dayMs = 86_400_000

export function createClock(now: Date | string | number | (() => Date | number)): FakeClock {
  let shiftMs = 0
  const start = typeof now === 'function' ? 0 : new Date(now).getTime()
  if (Number.isNaN(start))
    throw new TypeError('`now` must be a Date, a time such as 2026-01-31T12:00:00Z, or a function.')
  const nowMs = () => Math.floor(typeof now === 'function' ? Number(now()) : start) + shiftMs
  return {
    nowMs,
    nowText: () => instantText(nowMs() * 1000),
    day: () => new Date(nowMs()).toISOString().slice(0, 10),
    midnightMs: () => (Math.floor(nowMs() / dayMs) + 1) * dayMs,
    advance: (ms) => {
      if (!(Number.isFinite(ms) && ms >= 0))
        throw new RangeError('The clock runs forwards only: give milliseconds from 0 up.')
      shiftMs += Math.floor(ms)
    },
  }
}
