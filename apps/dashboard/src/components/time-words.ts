import { formatAge, formatInstant, language } from '@ratecard/contract/wording'

/** Beyond that a day says more than a number of days. */
const relativeMsMax = 7 * 86_400_000

const day = { month: 'short', day: 'numeric' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const
const dayOfYear = new Intl.DateTimeFormat(language, day)
const dayOfAnyYear = new Intl.DateTimeFormat(language, { ...day, year: 'numeric' })
const timeOfYear = new Intl.DateTimeFormat(language, { ...day, ...time })
const utcDay = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
const here = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

/** "3 min ago", "in 2 h", "Nov 20", "Nov 20, 2025". */
export function relativeText(value: string, nowMs: number): string {
  const at = new Date(value)
  const differenceMs = at.getTime() - nowMs
  if (Math.abs(differenceMs) > relativeMsMax) return dayText(at, nowMs)
  if (Math.abs(differenceMs) < 60_000) return differenceMs > 0 ? 'in a moment' : 'just now'
  const age = formatAge(Math.abs(differenceMs))
  return differenceMs > 0 ? `in ${age}` : `${age} ago`
}

/** "Nov 22, 4:06 AM" near now; else "Feb 8", "Feb 8, 2025". */
export function shortText(value: string, nowMs: number): string {
  const at = new Date(value)
  return Math.abs(at.getTime() - nowMs) > relativeMsMax ? dayText(at, nowMs) : timeOfYear.format(at)
}

function dayText(at: Date, nowMs: number): string {
  const isThisYear = at.getFullYear() === new Date(nowMs).getFullYear()
  return (isThisYear ? dayOfYear : dayOfAnyYear).format(at)
}

/** "Nov 22, 2026": a UTC day is the same everywhere. */
export function utcDayText(day: string | number): string {
  return utcDay.format(new Date(day))
}

/** "Nov 22, 2026, 4:06 AM (2026-11-22 03:06 UTC)". Who lives in UTC is told once. */
export function fullText(value: string): string {
  const at = new Date(value)
  const utc = formatInstant(value)
  return at.getTimezoneOffset() === 0 ? `${here.format(at)} UTC` : `${here.format(at)} (${utc})`
}
