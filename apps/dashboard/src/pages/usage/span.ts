import { addDays } from './usage-sums.ts'

/** Spans of UTC days to choose from, by their name in the address of the page. */
export const spans = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
] as const
export type Span = (typeof spans)[number]['value']

export function isSpan(text: string | null): text is Span {
  return spans.some(({ value }) => value === text)
}

/** The days of a span, both included. */
export function toDays(span: Span, today: string): { from: string; to: string } {
  const firstOfMonth = `${today.slice(0, 8)}01`
  if (span === 'month') return { from: firstOfMonth, to: today }
  if (span === 'last-month') {
    const to = addDays(firstOfMonth, -1)
    return { from: `${to.slice(0, 8)}01`, to }
  }
  return { from: addDays(today, 1 - Number(span)), to: today }
}
