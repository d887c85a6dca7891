import { useInfiniteQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { call } from './client.ts'
import { inPages } from './pages.ts'

export type RequestFilter = Schemas['RequestFilter']

/** The request log, newest first, page by page. */
export function useRequests(filter: RequestFilter) {
  // As many as a phone shows in a few screens.
  const limit = 25
  return useInfiniteQuery(
    inPages(['requests', filter], (position) =>
      call('GET /requests', { query: { ...filter, limit, ...position } }),
    ),
  )
}
