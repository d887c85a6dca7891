import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { meQuery } from './me.ts'

// These answers are shown once and never cached: `gcTime: 0`.

export function useSetUpSecondFactor() {
  return useMutation({
    mutationFn: async (password: string) =>
      (await dataOf(api.POST('/dashboard/api/second-factor/setup', { body: { password } }))).data,
    gcTime: 0,
  })
}

export function useConfirmSecondFactor() {
  return useSecondFactorChange((code: string) =>
    dataOf(api.POST('/dashboard/api/second-factor/confirm', { body: { code } })),
  )
}

export function useRemoveSecondFactor() {
  return useSecondFactorChange((password: string) =>
    dataOf(api.POST('/dashboard/api/second-factor/remove', { body: { password } })),
  )
}

export function useRenewRecoveryCodes() {
  return useMutation({
    mutationFn: async (password: string) =>
      (await dataOf(api.POST('/dashboard/api/second-factor/recovery-codes', { body: { password } }))).data,
    gcTime: 0,
  })
}

function useSecondFactorChange(mutationFn: (input: string) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await client.invalidateQueries(meQuery)
      await client.invalidateQueries({ queryKey: ['sessions'] })
    },
    gcTime: 0,
  })
}
