import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { toast } from '../components/Toast.tsx'
import { isTyping } from '../components/Dialog.tsx'
import { ApiFailure, nameAccount, waitForSession } from './client.ts'
import { onReturn } from './reach.ts'
import { markSession } from './session-mark.ts'

const retriesMax = 2

/** The cache of answers. Data changes at any time, so nothing counts as fresh for long. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Without a network a page says so, and does not wait for ever.
      networkMode: 'always',
      retry: (count, error) =>
        count < retriesMax &&
        error instanceof ApiFailure &&
        (error.code === 'unreachable' || error.code === 'service_unavailable'),
    },
    mutations: {
      // Passwords are sent and not kept; a new key or secret is shown once and not cached.
      gcTime: 0,
      // Without a network an action fails and says so. The server may be on this machine.
      networkMode: 'always',
    },
  },
})

// Where nothing polls, too.
onReturn(() => void queryClient.invalidateQueries())

nameAccount(() => queryClient.getQueryData<Schemas['Me'] | null>(['me'])?.account?.id)

/**
 * The session has ended: pages that find `me` null ask the user to sign in. Or it shows another account by now: then
 * everything is read again.
 */
function noticeEnd(error: Error): void {
  if (!(error instanceof ApiFailure)) return
  if (error.code === 'other_account') {
    toast(error.message)
    void queryClient.resetQueries()
  }
  if (error.code === 'not_signed_in') endSession()
}

function endSession(): void {
  if (queryClient.getQueryData(['me']) != null) queryClient.setQueryData(endedKey, true)
  queryClient.setQueryData(['me'], null)
  markSession(null)
}

waitForSession(() => {
  if (!isTyping()) return null
  endSession()
  return new Promise((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(({ query }) => {
      if (query.queryHash !== '["me"]' || query.state.data == null) return
      stop()
      resolve()
    })
  })
})

const endedKey = ['session-ended']

/** Whether the session ended under the user's hands. */
export function hasSessionEnded(): boolean {
  return queryClient.getQueryData(endedKey) === true
}
