import type { Schemas } from '../../../contract/index.ts'

type Row = Schemas['DayUsageRow']
type KeyRow = Schemas['UsageRow']
export type Endpoint = Schemas['Endpoint']

/** In the order in which they are stacked and listed. */
export const endpoints: readonly { id: Endpoint; label: string }[] = [
  { id: 'prices', label: 'Prices' },
  { id: 'changes', label: 'Changes' },
  { id: 'webhooks', label: 'Webhooks' },
]

const msPerDay = 86_400_000

/** Requests by endpoint, requests paid by packs, and all requests. */
export interface Sums extends Record<Endpoint, number> {
  packs: number
  total: number
}

const nothing: Sums = { prices: 0, changes: 0, webhooks: 0, packs: 0, total: 0 }

/** Sums by the group that `keyOf` gives a row, in the order of their first appearance. */
function sumBy<R extends Row>(rows: readonly R[], pickKey: (row: R) => string): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const row of rows) {
    const sum = sums.get(pickKey(row)) ?? { ...nothing }
    sum[row.endpoint] += row.units
    sum.total += row.units
    if (row.paid_by === 'pack') sum.packs += row.units
    sums.set(pickKey(row), sum)
  }
  return sums
}

export interface DaySums extends Sums {
  day: string
}

/** Every UTC day of the span, also those without a request. */
export function sumsByDay(rows: readonly Row[], from: string, to: string): DaySums[] {
  const sums = sumBy(rows, ({ day }) => day)
  return listDays(from, to).map((day) => ({ day, ...(sums.get(day) ?? nothing) }))
}

export interface KeySums extends Sums {
  keyId: string
}

/** The keys that were used, the one used most first. */
export function sumsByKey(rows: readonly KeyRow[]): KeySums[] {
  return [...sumBy(rows, ({ key_id }) => key_id)]
    .map(([keyId, sums]) => ({ keyId, ...sums }))
    .sort((a, b) => b.total - a.total)
}

/** A UTC day, so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10)
}

function listDays(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / msPerDay + 1
  return Array.from({ length: count }, (_, index) => addDays(from, index))
}

/** The totals of the last seven days without the present one, which is not over, and of the seven before. */
export function sumWeeks(days: readonly DaySums[]): { last: number; before: number } {
  const sum = (some: readonly DaySums[]) => some.reduce((total, day) => total + day.total, 0)
  const full = days.slice(0, -1)
  return { last: sum(full.slice(-7)), before: sum(full.slice(-14, -7)) }
}
