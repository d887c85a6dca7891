/** Microseconds since 1970 as the text the service sends. Exact up to the year 2255. */
export function instantText(micros: number): string {
  const ms = Math.floor(micros / 1000)
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros - ms * 1000).padStart(3, '0')}Z`
}

/** The clock of the fake: it stands still until it is moved, or follows a function. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  nowMs: () => number
  /** The UTC day, `YYYY-MM-DD`. */
  day: () => string
  /** The next UTC midnight, in milliseconds since 1970. */
  midnightMs: () => number
  advance: (ms: number) => void
  reset: () => void
}

const dayMs = 86_400_000

export function createClock(now: Date | string | number | (() => Date | number)): FakeClock {
  let shiftMs = 0
  const read = typeof now === 'function' ? now : () => start
  const start = typeof now === 'function' ? 0 : new Date(now).getTime()
  if (Number.isNaN(start))
    throw new TypeError('`now` must be a Date, a time such as 2026-01-31T12:00:00Z, or a function.')
  const nowMs = () => Math.floor(Number(read())) + shiftMs
  return {
    nowMs,
    day: () => new Date(nowMs()).toISOString().slice(0, 10),
    midnightMs: () => (Math.floor(nowMs() / dayMs) + 1) * dayMs,
    advance: (ms) => {
      if (!(Number.isFinite(ms) && ms >= 0))
        throw new RangeError('The clock runs forwards only: give milliseconds from 0 up.')
      shiftMs += Math.floor(ms)
    },
    reset: () => {
      shiftMs = 0
    },
  }
}
