import { useMutation } from '@tanstack/react-query'
import { api, bodyOf, dataOf } from './client.ts'
import { meQuery } from './me.ts'
import { queryClient } from './query-client.ts'

export function useSetUpSecondFactor() {
  return useMutation({
    mutationFn: (password: string) =>
      dataOf(api.POST('/dashboard/api/second-factor/setup', { body: { password } })),
  })
}

export function useConfirmSecondFactor() {
  return useSecondFactorChange((code: string) =>
    bodyOf(api.POST('/dashboard/api/second-factor/confirm', { body: { code } })),
  )
}

export function useRemoveSecondFactor() {
  return useSecondFactorChange((password: string) =>
    bodyOf(api.POST('/dashboard/api/second-factor/remove', { body: { password } })),
  )
}

export function useRenewRecoveryCodes() {
  return useMutation({
    mutationFn: (password: string) =>
      dataOf(api.POST('/dashboard/api/second-factor/recovery-codes', { body: { password } })),
  })
}

function useSecondFactorChange(mutationFn: (input: string) => Promise<unknown>) {
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await queryClient.invalidateQueries(meQuery)
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
}
