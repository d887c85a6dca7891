import { isDateText } from '../../platform/instant.ts'
import type { ChangeDraft } from '../change-draft.ts'

/** Until when users must have moved: the earliest day of retirement that the change tells; null: it tells none. */
export function deadlineOf({ category, rows }: ChangeDraft): string | null {
  if (category !== 'deprecation' && category !== 'model_removed' && category !== 'model_added') return null
  const days = rows.flatMap(
    ({ before, after }) => (category === 'model_removed' ? before : after)?.retires_on ?? [],
  )
  return days.filter(isDateText).sort()[0] ?? null
}
