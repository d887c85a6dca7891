import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { call, callData } from './client.ts'
import { inPages } from './pages.ts'

/** The API's filters; what is left out filters nothing. */
export type ChangeFilter = Schemas['ChangeFilter']

const pageRows = 25

/** Page by page, newest first. */
export function useChanges(filter: ChangeFilter) {
  return useInfiniteQuery(
    inPages(['changes', filter], (cursor) =>
      call('GET /changes', { query: { limit: pageRows, ...filter, ...cursor } }),
    ),
  )
}

export function useChangeFacets() {
  return useQuery({ queryKey: ['change-facets'], queryFn: () => callData('GET /change-facets') })
}

export function useChange(id: string) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: () => callData('GET /changes/{id}', { path: { id } }),
  })
}
