const base = '/dashboard'

/** The page for signing in, which goes on to the present one: whoever follows a link to a page gets there. */
export function signInPath(): string {
  const { pathname, search, hash } = window.location
  const wanted = pathname.slice(base.length) + search
  // The hash stays one: the token of an invitation stands there, and no server may see it.
  return wanted === '' || wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}${hash}`
}

/** Where to go on from there: below our own pages, whatever the address says. */
export function nextPath(): string {
  const next = new URLSearchParams(window.location.search).get('next') ?? '/'
  return (next.startsWith('/') ? next : '/') + window.location.hash
}

/** Another page of signing in, which goes on to the same place. */
export function withNext(path: '/sign-in' | '/sign-up'): string {
  return path + window.location.search + window.location.hash
}
