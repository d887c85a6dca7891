import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { operations } from '../../contract/index.ts'
import { api, bodyOf, dataOf } from './client.ts'
import { inPages } from './pages.ts'

/** The API's filters; what is left out filters nothing. */
export type ChangeFilter = Omit<
  NonNullable<operations['listChanges']['parameters']['query']>,
  'cursor' | 'limit'
>

const pageRows = 25

/** Page by page, newest first. */
export function useChanges(filter: ChangeFilter) {
  return useInfiniteQuery(
    inPages(['changes', filter], (cursor) =>
      bodyOf(
        api.GET('/dashboard/api/changes', { params: { query: { limit: pageRows, ...filter, ...cursor } } }),
      ),
    ),
  )
}

export function useChangeFacets() {
  return useQuery({
    queryKey: ['change-facets'],
    queryFn: () => dataOf(api.GET('/dashboard/api/change-facets')),
  })
}

export function useChange(id: string) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: () => dataOf(api.GET('/dashboard/api/changes/{id}', { params: { path: { id } } })),
  })
}
