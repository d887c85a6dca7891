import { nextPath } from './next.ts'

// Who signs up on the way to a page, such as an invitation, comes back by a mailed link in another window. Where they
// wanted to go is kept for as long as the link works. What it holds is of use to their own user alone.

const name = 'ratecard.next'
const keptMs = 86_400_000

/** Keeps the page that the sign-up page was to continue to. */
export function rememberNext(): void {
  const path = nextPath()
  try {
    if (path === '/') localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify({ path, untilMs: Date.now() + keptMs }))
  } catch {
    // A browser without storage: they go on from the overview.
  }
}

/** The page to go on to, once. It is one of our own, whatever is stored. */
export function takeNext(): string {
  try {
    const text = localStorage.getItem(name)
    localStorage.removeItem(name)
    const { path, untilMs } = JSON.parse(text ?? '{}') as { path?: unknown; untilMs?: unknown }
    const isKept = typeof path === 'string' && path.startsWith('/') && typeof untilMs === 'number'
    return isKept && Date.now() < untilMs ? path : '/'
  } catch {
    return '/'
  }
}
