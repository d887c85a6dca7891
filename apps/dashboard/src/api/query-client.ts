import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './client.ts'

const retriesMax = 2

/** What was read, and when it is read again. Answers are the truth of now: nothing is shown as fresh for long. */
export const queryClient: QueryClient = new QueryClient({
  // A session that ended meanwhile: whoever sees `me` gone asks to sign in.
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
  },
})
