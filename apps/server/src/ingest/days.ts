const dayMs = 86_400_000

export { toDay } from '../platform/day.ts'

/** Days from one day to another, both `YYYY-MM-DD`; negative when the other is earlier. */
export function daysBetween(today: string, day: string): number {
  return Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
}
