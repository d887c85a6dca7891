import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

const queryKey = ['keys']

export function useKeys() {
  return useQuery({ queryKey, queryFn: () => dataOf(api.GET('/dashboard/api/keys')) })
}

export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) =>
      (await dataOf(api.POST('/dashboard/api/keys', { body: { name } }))).data,
    onSuccess: () => client.invalidateQueries({ queryKey }),
    // The key is shown and then forgotten: not even memory keeps it.
    gcTime: 0,
  })
}
