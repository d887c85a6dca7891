import type { Query } from '@tanstack/react-query'

// Of a page's one watched query: a change is shown within a second, and a tab asks about once a second.
const intervalMs = 900
const quietIntervalMs = 3_000
/** Without a change for so long, the page is left open rather than watched. */
const quietAfterMs = 60_000
const afterFailureMs = 5_000

/** What a query answered, and since when. An answer that says the same keeps its identity. */
const answers = new WeakMap<object, { data: unknown; sinceMs: number }>()

/**
 * For data that a program's requests change. A visible page shows a change within a second. Polling stops while the
 * page is hidden, and slows down after a failure, and after a minute in which nothing has changed.
 */
export const live = {
  refetchInterval: (query: Pick<Query, 'state'> & object) => {
    const { status, data } = query.state
    if (status === 'error') return afterFailureMs
    const known = answers.get(query)
    if (known === undefined || known.data !== data) {
      answers.set(query, { data, sinceMs: Date.now() })
      return intervalMs
    }
    return Date.now() - known.sinceMs > quietAfterMs ? quietIntervalMs : intervalMs
  },
  refetchOnWindowFocus: 'always',
} as const
