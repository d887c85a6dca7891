import { useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { toast } from '../components/Toast.tsx'
import { call, callData } from './client.ts'
import { queryClient } from './query-client.ts'

type Notifications = Schemas['Notifications']

const queryKey = ['notifications']
const mutationKey = ['change-notifications']

export function useNotifications() {
  return useQuery({ queryKey, queryFn: () => callData('GET /notifications') })
}

/** Changes what is mailed. A switch moves at once, and moves back with a message when the server refuses. */
export function useChangeNotifications() {
  return useMutation({
    mutationKey,
    scope: { id: 'notifications' },
    mutationFn: (body: Schemas['NotificationsInput']) => call('PATCH /notifications', { body }),
    onMutate: async ({ at_once_severity: severity, ...kinds }) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Notifications>(
        queryKey,
        (shown) =>
          shown && {
            ...shown,
            kinds: { ...shown.kinds, ...kinds },
            ...(severity !== undefined && { at_once_severity: severity }),
          },
      )
    },
    onError: ({ message }) => toast(message),
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) > 1) return
      return queryClient.invalidateQueries({ queryKey })
    },
  })
}
