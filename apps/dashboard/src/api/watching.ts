import { useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { toast } from '../components/Toast.tsx'
import { call } from './client.ts'
import { queryClient } from './query-client.ts'

type WatchList = Schemas['WatchList']
type Thing = Pick<Schemas['Watch'], 'kind' | 'name'>

const queryKey = ['watches']
const mutationKey = ['set-watch']
/** Several stars are on a page; each of them shows the same list. */
const freshMs = 60_000

export function useWatches() {
  return useQuery({ queryKey, queryFn: () => call('GET /watches'), staleTime: freshMs })
}

/**
 * Watches something that is not watched, and the other way round. The star changes at once, and changes back with a message
 * when the server refuses. Presses are sent one after the other: the last one holds.
 */
export function useToggleWatch(): (thing: Thing) => void {
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'watches' },
    mutationFn: (input: Schemas['WatchInput']) => call('PUT /watches', { body: input }),
    onMutate: ({ watched, ...thing }) => {
      // What is on its way was read before. Nothing waits for its end: the next press must find this one in the list.
      void queryClient.cancelQueries({ queryKey }, { revert: false })
      show(thing, watched)
    },
    onError: ({ message }, { watched, ...thing }) => {
      show(thing, !watched)
      toast(message)
    },
    onSettled: () => {
      // While another press is under way the server does not know it yet.
      if (queryClient.isMutating({ mutationKey }) > 1) return
      return queryClient.invalidateQueries({ queryKey })
    },
  })
  // What the list says now, and not what was drawn last: a second press may come before the star is drawn again.
  return (thing) => {
    const list = queryClient.getQueryData<WatchList>(queryKey)
    if (list !== undefined) mutate({ ...thing, watched: !isOn(list, thing) })
  }
}

function show(thing: Thing, watched: boolean): void {
  queryClient.setQueryData<WatchList>(queryKey, (list) => {
    if (list === undefined) return list
    const others = list.data.filter((one) => !isSame(one, thing))
    return { ...list, data: watched ? [...others, justWatched(thing)] : others }
  })
}

export function isOn(list: WatchList, thing: Thing): boolean {
  return list.data.some((one) => isSame(one, thing))
}

function isSame(a: Thing, b: Thing): boolean {
  return a.kind === b.kind && a.name === b.name
}

/** Until the server has answered, nothing more is known of it. */
function justWatched(thing: Thing): Schemas['Watch'] {
  return {
    ...thing,
    title: thing.name,
    watched_since: new Date().toISOString().replace('Z', '000Z'),
    vendor: null,
    products: 0,
    platforms: 0,
    records: 0,
    cheapest: null,
    last_change: null,
    announced: null,
    retires_on: null,
  }
}
