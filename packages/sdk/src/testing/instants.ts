// Instants are text with microseconds, as the service sends them; a `Date` would cut three digits.

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** An RFC 3339 instant with offset as UTC text with six decimals; null when it is none. */
export function readInstant(text: string): string | null {
  const match = rfc3339.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (!isRealDate(year, month, day) || hour > 23 || minute > 59 || second > 59) return null
  if (offsetHours > 23 || offsetMinutes > 59) return null

  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1)
  const utc = new Date(0)
  utc.setUTCFullYear(year, month - 1, day)
  utc.setUTCHours(hour, minute - offset, second)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return null
  const micros = (match[7] ?? '').slice(0, 6).padEnd(6, '0')
  return `${utc.toISOString().slice(0, 19)}.${micros}Z`
}

/** Whether the text is an instant exactly as the service writes one. */
export function isInstantText(text: string): boolean {
  return readInstant(text) === text
}

/** Whether the text is a date of the calendar, `YYYY-MM-DD`. */
export function isDateText(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return match !== null && isRealDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

function isRealDate(year: number, month: number, day: number): boolean {
  if (year < 1) return false
  // Day 0 of the next month is the last of this one; a Date moves what does not exist.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

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
