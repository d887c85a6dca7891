import { useMutation } from '@tanstack/react-query'
import type { Asked } from '../../contract/index.ts'
import { call, callData, type Sending } from './client.ts'
import { meQuery } from './me.ts'
import { queryClient } from './query-client.ts'

type Looking = 'POST /switch-account' | 'POST /accept-invitation' | 'POST /accounts' | 'POST /delete-account'

/** An action that leads to another account, or to none. Removes everything that was read for the account before. */
export function useLookAt<Address extends Looking>(route: Address) {
  return useMutation({
    mutationFn: async (sent: Asked<Address>) => {
      await call(route, ...([sent] as unknown as Sending<Address>))
      return callData('GET /me')
    },
    onSuccess: (me) => {
      queryClient.setQueryData(meQuery.queryKey, me)
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
    },
  })
}
