import type { QueryKey } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'

/** A question that is answered page by page. Each page names where the next begins. */
export function inPages<Page extends { pagination?: Schemas['Pagination'] }>(
  queryKey: QueryKey,
  read: (query: { cursor?: string }) => Promise<Page>,
) {
  return {
    queryKey,
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      read(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }: Page) => pagination?.next_cursor ?? null,
  }
}
