import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { live } from './live.ts'

const queryKey = ['keys']

export function useKeys() {
  return useQuery({ queryKey, queryFn: () => dataOf(api.GET('/dashboard/api/keys')), ...live })
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

/** Takes the seconds for which the old key goes on. */
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
    // A new key is shown and then forgotten: not even memory keeps it.
    gcTime: 0,
  })
}
