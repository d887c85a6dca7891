import { useMutation } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { toast } from '../components/Toast.tsx'
import { call } from './client.ts'
import { ask } from './queries.ts'
import { queryClient } from './query-client.ts'

type Answer = { data: Schemas['Notifications'] }

const { queryKey } = ask('GET /notifications')
const mutationKey = ['change-notifications']

/** Changes what is mailed. A switch moves at once, and moves back with a message when the server refuses. */
export function useChangeNotifications() {
  return useMutation({
    mutationKey,
    scope: { id: 'notifications' },
    mutationFn: (body: Schemas['NotificationsInput']) => call('PATCH /notifications', { body }),
    onMutate: async ({ at_once_severity: severity, ...kinds }) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Answer>(
        queryKey,
        (shown) =>
          shown && {
            data: {
              ...shown.data,
              kinds: { ...shown.data.kinds, ...kinds },
              ...(severity !== undefined && { at_once_severity: severity }),
            },
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
