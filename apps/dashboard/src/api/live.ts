import type { Query } from '@tanstack/react-query'

const intervalMs = 500
const afterFailureMs = 5_000

/**
 * For what a request of a program changes: it is seen within a second of it, in a page that is looked at. Asking stops
 * while the page is hidden, and slows down where the answer is a failure.
 */
export const live = {
  refetchInterval: ({ state }: Pick<Query, 'state'>) =>
    state.status === 'error' ? afterFailureMs : intervalMs,
  refetchOnWindowFocus: 'always',
} as const
