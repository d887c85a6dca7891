import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { live } from './live.ts'

const queryKey = ['keys']

/** The first page: every active key, and the keys that were revoked last. */
export function useKeys() {
  return useQuery({ queryKey, queryFn: () => dataOf(api.GET('/dashboard/api/keys')), ...live })
}

/**
 * Keys that were revoked before those of the first page, page by page.
 * @param cursor where they begin; null: the user has not asked for them
 */
export function useOlderKeys(cursor: string | null) {
  return useInfiniteQuery({
    queryKey: [...queryKey, cursor],
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      dataOf(
        api.GET('/dashboard/api/keys', {
          params: { query: { ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: cursor,
    getNextPageParam: (page) => page.pagination?.next_cursor ?? null,
    enabled: cursor !== null,
  })
}

export function useCreateKey() {
  return useKeyAction(
    async (name: string) => (await dataOf(api.POST('/dashboard/api/keys', { body: { name } }))).data,
  )
}

export function useRenameKey(id: string) {
  return useKeyAction(
    async (name: string) =>
      (await dataOf(api.PATCH('/dashboard/api/keys/{id}', { params: { path: { id } }, body: { name } })))
        .data,
  )
}

/** Takes the number of seconds for which the old key stays valid. */
export function useRotateKey(id: string) {
  return useKeyAction(async (grace_seconds: number) => {
    const params = { path: { id } }
    return (await dataOf(api.POST('/dashboard/api/keys/{id}/rotate', { params, body: { grace_seconds } })))
      .data
  })
}

export function useRevokeKey(id: string) {
  return useKeyAction(
    async () =>
      (await dataOf(api.POST('/dashboard/api/keys/{id}/revoke', { params: { path: { id } } }))).data,
  )
}

function useKeyAction<Result, Input>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey }),
    // A new key is shown once and not cached.
    gcTime: 0,
  })
}
