import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

export interface ChangeFilter {
  vendor: string | null
  product: string | null
  category: string | null
  /** 2 to 5; null: any. */
  minSeverity: number | null
  includeIncidents: boolean
}

const pageRows = 25

/** Page by page, newest first. */
export function useChanges(filter: ChangeFilter) {
  const { vendor, product, category, minSeverity, includeIncidents } = filter
  return useInfiniteQuery({
    queryKey: ['changes', filter],
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/dashboard/api/changes', {
          params: {
            query: {
              limit: pageRows,
              ...(vendor !== null && { vendor }),
              ...(product !== null && { product }),
              ...(category !== null && { category }),
              ...(minSeverity !== null && { min_severity: minSeverity }),
              ...(includeIncidents && { include_incidents: true }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination?.next_cursor ?? null,
  })
}

export function useChangeFacets() {
  return useQuery({
    queryKey: ['change-facets'],
    queryFn: async () => (await dataOf(api.GET('/dashboard/api/change-facets'))).data,
  })
}

export function useChange(id: string) {
  return useQuery({
    queryKey: ['changes', id],
    queryFn: async () =>
      (await dataOf(api.GET('/dashboard/api/changes/{id}', { params: { path: { id } } }))).data,
  })
}
