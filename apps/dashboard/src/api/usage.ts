import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { useActionOn } from './actions.ts'
import { call, callData } from './client.ts'
import { live } from './live.ts'

const msPerDay = 86_400_000
const liveDaysMax = 31
const longSpanIntervalMs = 5_000

export function useOverview() {
  return useQuery({ queryKey: ['overview'], queryFn: () => callData('GET /overview'), ...live })
}

/** Puts the first steps away. */
export function useEndFirstSteps() {
  return useActionOn(['overview'], () => call('POST /first-steps/end'))
}

export interface UsageFilter {
  /** UTC days, both included. */
  from: string
  to: string
  key_id?: string
  endpoint?: Schemas['Endpoint']
}

export function useUsage(filter: UsageFilter) {
  return useQuery({
    queryKey: ['usage', filter],
    queryFn: () => callData('GET /usage', { query: filter }),
    // The old figures stay until the new ones are there.
    placeholderData: keepPreviousData,
    ...live,
    // With many keys, a year of figures is megabytes.
    ...(isLong(filter) && { refetchInterval: longSpanIntervalMs }),
  })
}

function isLong({ from, to }: UsageFilter): boolean {
  return Date.parse(to) - Date.parse(from) >= liveDaysMax * msPerDay
}

/** The address of the same figures as a file. */
export function usageFileUrl(filter: UsageFilter): string {
  return `/dashboard/api/usage.csv?${new URLSearchParams({ ...filter }).toString()}`
}
