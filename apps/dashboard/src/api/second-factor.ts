import { useMutation } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { call, callData } from './client.ts'
import { meQuery } from './me.ts'
import { queryClient } from './query-client.ts'

export function useSetUpSecondFactor() {
  return useMutation({
    mutationFn: (password: string) => callData('POST /second-factor/setup', { body: { password } }),
  })
}

export function useConfirmSecondFactor() {
  return useSecondFactorChange((code: string) => call('POST /second-factor/confirm', { body: { code } }))
}

export function useRemoveSecondFactor() {
  return useSecondFactorChange((body: Schemas['PasswordAndCodeInput']) =>
    call('POST /second-factor/remove', { body }),
  )
}

export function useRenewRecoveryCodes() {
  return useMutation({
    mutationFn: (body: Schemas['PasswordAndCodeInput']) =>
      callData('POST /second-factor/recovery-codes', { body }),
  })
}

function useSecondFactorChange<Input>(mutationFn: (input: Input) => Promise<unknown>) {
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await queryClient.invalidateQueries(meQuery)
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
}
