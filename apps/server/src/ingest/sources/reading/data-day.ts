import { isDateText } from '../../../platform/instant.ts'
import { toDay } from '../../days.ts'

/**
 * The newest day among those that a source states, not later than the run: the data is at least as new as that. Texts
 * that begin with no day are left out; null: there is none.
 */
export function newestDay(stated: Iterable<string | null | undefined>, now: Date): string | null {
  const today = toDay(now)
  let newest: string | null = null
  for (const text of stated) {
    const day = text?.slice(0, 10)
    if (day !== undefined && isDateText(day) && day <= today && (newest === null || day > newest))
      newest = day
  }
  return newest
}
