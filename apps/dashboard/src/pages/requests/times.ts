import { language } from '../../components/language.ts'

const here = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })

/** An instant in the viewer's zone. */
export function localText(at: string): string {
  return here.format(new Date(at))
}

/** The beginning of the UTC hour of an instant, as the log names it. */
export function hourOf(at: string): string {
  return `${at.slice(0, 13)}:00:00.000000Z`
}

/** A UTC day in words. */
export function dayText(utcDay: string): string {
  return day.format(new Date(utcDay))
}
