import type { Query } from '@tanstack/react-query'

const intervalMs = 500
const afterFailureMs = 5_000

/**
 * For data that a program's requests change. A visible page shows a change within a second. Polling stops while the
 * page is hidden, and slows down after a failure.
 */
export const live = {
  refetchInterval: ({ state }: Pick<Query, 'state'>) =>
    state.status === 'error' ? afterFailureMs : intervalMs,
  refetchOnWindowFocus: 'always',
} as const
