import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { useActionOn } from './actions.ts'
import { call, callData } from './client.ts'
import { live } from './live.ts'
import { inPages } from './pages.ts'

const queryKey = ['keys']

/**
 * The first page: every key that works, and the keys that ended last.
 * @param isWatched whether their use is shown, which programs move; names move by hand
 */
export function useKeys({ isWatched = true } = {}) {
  return useQuery({ queryKey, queryFn: () => call('GET /keys'), ...(isWatched && live) })
}

/**
 * Keys that ended before those of the first page, page by page.
 * @param cursor where they begin; null: the user has not asked for them
 */
export function useOlderKeys(cursor: string | null) {
  return useInfiniteQuery({
    ...inPages([...queryKey, cursor], (query) => call('GET /keys', { query })),
    initialPageParam: cursor,
    enabled: cursor !== null,
  })
}

export function useCreateKey() {
  return useActionOn(queryKey, (body: Schemas['KeyInput']) => callData('POST /keys', { body }))
}

/** Takes when the key expires; null: never. */
export function useSetKeyExpiry(id: string) {
  return useActionOn(queryKey, (expires_at: string | null) =>
    callData('POST /keys/{id}/expiry', { path: { id }, body: { expires_at } }),
  )
}

export function useRenameKey(id: string) {
  return useActionOn(queryKey, (name: string) =>
    callData('PATCH /keys/{id}', { path: { id }, body: { name } }),
  )
}

/** Takes the number of seconds for which the old key stays valid. */
export function useRotateKey(id: string) {
  return useActionOn(queryKey, (grace_seconds: number) =>
    callData('POST /keys/{id}/rotate', { path: { id }, body: { grace_seconds } }),
  )
}

export function useRevokeKey(id: string) {
  return useActionOn(queryKey, () => callData('POST /keys/{id}/revoke', { path: { id } }))
}
