import { language } from '@ratecard/contract/wording'

const here = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })

/** An instant in the viewer's zone. */
export function localText(at: string): string {
  return here.format(new Date(at))
}

/** The beginning of the UTC hour of an instant, as the log names it. */
export function formatHour(at: string): string {
  return `${at.slice(0, 13)}:00:00.000000Z`
}
