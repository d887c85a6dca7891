import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { live } from './live.ts'
import { askData } from './queries.ts'

const msPerDay = 86_400_000
const liveDaysMax = 31
const longSpanIntervalMs = 5_000

/** Of which days, and of what. */
export type UsageFilter = Required<Pick<Schemas['UsageFilter'], 'from' | 'to'>> & Schemas['UsageFilter']

export function useUsage(filter: UsageFilter) {
  const isLong = Date.parse(filter.to) - Date.parse(filter.from) >= liveDaysMax * msPerDay
  return useQuery({
    ...askData('GET /usage', { query: filter }),
    // The old figures stay until the new ones are there.
    placeholderData: keepPreviousData,
    ...live,
    // With many keys, a year of figures is megabytes.
    ...(isLong && { refetchInterval: longSpanIntervalMs }),
  })
}
