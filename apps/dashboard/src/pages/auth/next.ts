const base = '/dashboard'

/** The sign-in page, which continues to the present one: a user who follows a link to a page reaches it. */
export function signInPath(): string {
  const { pathname, search, hash } = window.location
  const wanted = pathname.slice(base.length) + search
  // The hash stays a hash: it may hold the token of an invitation, which no server may see.
  return wanted === '' || wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}${hash}`
}

/** The page to continue to. It is always one of our own, whatever the address says. */
export function nextPath(): string {
  const next = new URLSearchParams(window.location.search).get('next') ?? '/'
  return (next.startsWith('/') ? next : '/') + window.location.hash
}

/** Another page without a session, which continues to the same page. */
export function withNext(path: '/sign-in' | '/sign-up'): string {
  return path + window.location.search + window.location.hash
}
