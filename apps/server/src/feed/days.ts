const dayMs = 86_400_000

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function toDay(instant: string | Date): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** Days from one day to another, both `YYYY-MM-DD`; negative when the other is earlier. */
export function daysBetween(today: string, day: string): number {
  return Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
}
