import { useMutation } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { toast } from '../components/Toast.tsx'
import { call } from './client.ts'
import { ask } from './queries.ts'
import { queryClient } from './query-client.ts'

type WatchList = Schemas['WatchList']
type Watch = Schemas['Watch']

const { queryKey } = ask('GET /watches')
const mutationKey = ['unwatch']

/** Takes something off the list. It goes at once, and comes back with a message when the server refuses. */
export function useUnwatch(): (watch: Watch) => void {
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'watches' },
    mutationFn: ({ kind, name }: Watch) => call('PUT /watches', { body: { kind, name, watched: false } }),
    onMutate: (watch) => {
      // What is on its way was read before.
      void queryClient.cancelQueries({ queryKey }, { revert: false })
      change((list) => list.filter((one) => !isSame(one, watch)))
    },
    onError: ({ message }, watch) => {
      change((list) => [...list.filter((one) => !isSame(one, watch)), watch])
      toast(message)
    },
    onSettled: () => {
      // While another press is under way the server does not know it yet.
      if (queryClient.isMutating({ mutationKey }) > 1) return
      return queryClient.invalidateQueries({ queryKey })
    },
  })
  return mutate
}

function change(changed: (list: readonly Watch[]) => Watch[]): void {
  queryClient.setQueryData<WatchList>(queryKey, (list) => list && { ...list, data: changed(list.data) })
}

function isSame(a: Watch, b: Watch): boolean {
  return a.kind === b.kind && a.name === b.name
}
