export const dayMs = 86_400_000

/** The UTC day of an instant, `YYYY-MM-DD`. */
export function toDay(instant: string | number | Date): string {
  return new Date(instant).toISOString().slice(0, 10)
}
