import { dayMs } from '../../platform/day.ts'
import { isDateText } from '../../platform/instant.ts'

export const spanDaysDefault = 30
const spanDaysMax = 400
const firstDay = '2000-01-01'

/** UTC days, both included. */
export interface DaySpan {
  from: string
  to: string
}

/**
 * The requested span: by default 30 days to today, without `from` 30 days to `to`.
 * @param keptDays what is older is forgotten, and would be shown as nothing used
 * @returns what is wrong with it, as a sentence, when it is not allowed
 */
export function daySpan(
  asked: { from?: string; to?: string },
  today: string,
  keptDays: number,
): DaySpan | string {
  const to = asked.to ?? today
  if (!isDateText(to)) return 'The parameter "to" is no day of the calendar.'
  if (to < firstDay) return `There is nothing before ${firstDay}: give later days.`
  const from = asked.from ?? addDays(to, 1 - spanDaysDefault)
  if (!isDateText(from)) return 'The parameter "from" is no day of the calendar.'
  if (from < firstDay) return `There is nothing before ${firstDay}: give later days.`
  if (from > to) return 'The parameter "from" is later than "to".'
  if (addDays(from, spanDaysMax - 1) < to)
    return `At most ${spanDaysMax} days are shown at once: give a later "from".`
  const firstKept = addDays(today, -keptDays)
  if (from < firstKept) return `Usage is kept for ${keptDays} days: give days from ${firstKept} on.`
  return { from, to }
}

/** A day of the calendar, so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}
