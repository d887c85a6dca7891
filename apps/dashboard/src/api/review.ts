import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { call, callData } from './client.ts'
import { meQuery } from './me.ts'
import { inPages } from './pages.ts'
import { queryClient } from './query-client.ts'

const reviewKey = ['review']

// Sources are read every hour or so. An operator who leaves the page open sees what a run has held.
const refetchMs = 30_000

/** What waits, the oldest first, page by page. */
export function useHolds(source: string | null) {
  return useInfiniteQuery({
    ...inPages([...reviewKey, 'holds', source], (cursor) =>
      call('GET /review/holds', { query: { limit: 50, ...(source !== null && { source }), ...cursor } }),
    ),
    refetchInterval: refetchMs,
  })
}

export function useHold(id: string) {
  return useQuery({
    queryKey: [...reviewKey, 'hold', id],
    queryFn: () => callData('GET /review/holds/{id}', { path: { id } }),
  })
}

export function useFeedSources() {
  return useQuery({
    queryKey: [...reviewKey, 'sources'],
    queryFn: () => callData('GET /review/sources'),
    refetchInterval: refetchMs,
  })
}

export function useReports() {
  return useQuery({
    queryKey: [...reviewKey, 'reports'],
    queryFn: () => callData('GET /review/reports'),
    refetchInterval: refetchMs,
  })
}

export function useCloseReport() {
  return useDecision((id: string) => call('DELETE /review/reports/{id}', { path: { id } }))
}

export function useAcceptHolds() {
  return useDecision((body: Schemas['AcceptInput']) => callData('POST /review/accept', { body }))
}

export function useRejectHolds() {
  return useDecision((body: Schemas['RejectInput']) => callData('POST /review/reject', { body }))
}

/**
 * What waits, and how much of it, is read again after a decision, and after one that somebody else made before. Nobody
 * waits for that: a page that learns that the move is decided shows no dialog any more, which has yet to say so.
 */
function useDecision<Input, Outcome>(mutationFn: (input: Input) => Promise<Outcome>) {
  return useMutation({
    mutationFn,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: reviewKey })
      void queryClient.invalidateQueries(meQuery)
    },
  })
}
