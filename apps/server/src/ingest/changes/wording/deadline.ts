import { isDateText } from '../../../platform/instant.ts'
import type { ChangeDraft } from '../change-draft.ts'

/** The day by which users must have moved: the earliest day of retirement in the change; null: there is none. */
export function findDeadline({ category, rows }: ChangeDraft): string | null {
  if (category !== 'deprecation' && category !== 'model_removed' && category !== 'model_added') return null
  const days = rows.flatMap(
    ({ before, after }) => (category === 'model_removed' ? before : after)?.retires_on ?? [],
  )
  return days.filter(isDateText).sort()[0] ?? null
}
