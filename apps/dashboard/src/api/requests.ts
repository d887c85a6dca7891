import { useInfiniteQuery } from '@tanstack/react-query'
import type { operations } from '../../contract/index.ts'
import { api, bodyOf } from './client.ts'
import { inPages } from './pages.ts'

type Query = NonNullable<operations['listRequests']['parameters']['query']>
export type RequestFilter = Pick<Query, 'status' | 'operation' | 'key_id'>

/** The request log, newest first, page by page. */
export function useRequests(filter: RequestFilter) {
  // As many as a phone shows in a few screens.
  const limit = 25
  return useInfiniteQuery(
    inPages(['requests', filter], (position) =>
      bodyOf(api.GET('/dashboard/api/requests', { params: { query: { ...filter, limit, ...position } } })),
    ),
  )
}
