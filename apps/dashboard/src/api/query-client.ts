import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './client.ts'

const retriesMax = 2

/** The cache of answers. Data changes at any time, so nothing counts as fresh for long. */
export const queryClient: QueryClient = new QueryClient({
  // The session has ended. Pages that find `me` null ask the user to sign in.
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'not_signed_in')
        queryClient.setQueryData(['me'], null)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
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
