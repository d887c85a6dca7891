// The days of a scenario: day 0 is the day on which all files are known.

const dayZero = Date.parse('2026-08-22T00:00:00Z')

/** @param hour of the day, in UTC */
export function instantOf(day: number, hour: number): string {
  return new Date(dayZero + day * 86_400_000 + hour * 3_600_000).toISOString()
}

export function dayText(day: number): string {
  return instantOf(day, 0).slice(0, 10)
}
