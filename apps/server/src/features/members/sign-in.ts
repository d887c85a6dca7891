import { clientAddressHeader, cookiePrefix, type OpenAuth } from './auth.ts'

/** After ten wrong codes in a row better-auth takes no second factor of the user for so long. */
const lockSeconds = 900

/** What better-auth is asked, and by whom. */
export interface AuthRequest {
  method: 'GET' | 'POST'
  /** Such as `/sign-in/email`. */
  path: string
  query?: Record<string, string>
  body?: object
  /** The `Cookie` header of the request, if any. */
  cookie: string | undefined
  /** Where the request came from: the list of sessions shows it. */
  clientAddress: string
  userAgent: string | undefined
}

/** What was asked for is done. */
export interface AuthAnswer {
  kind: 'done'
  setCookies: string[]
  body: unknown
}

export type AuthOutcome =
  | AuthAnswer
  | { kind: 'too_many'; retrySeconds: number }
  /** `code` is one of better-auth's, such as `INVALID_TOKEN`. */
  | { kind: 'refused'; status: number; code: string; message: string }

/** Asks as its router is asked over HTTP. Its answer is for us: it names a session's token. */
export async function askAuth(openAuth: OpenAuth, request: AuthRequest): Promise<AuthOutcome> {
  const auth = await openAuth()
  const { baseURL, basePath } = auth.options
  const url = new URL(basePath + request.path, baseURL)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const headers = new Headers({ [clientAddressHeader]: request.clientAddress })
  if (request.cookie !== undefined) headers.set('cookie', request.cookie)
  if (request.userAgent !== undefined) headers.set('user-agent', request.userAgent)
  if (request.body) headers.set('content-type', 'application/json')
  const response = await auth.handler(
    new Request(url, {
      method: request.method,
      headers,
      ...(request.body && { body: JSON.stringify(request.body) }),
    }),
  )
  if (response.ok) {
    const body: unknown = await response.json().catch(() => null)
    return { kind: 'done', setCookies: response.headers.getSetCookie(), body }
  }
  if (response.status === 429) return { kind: 'too_many', retrySeconds: lockSeconds }
  if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to ${request.path}.`)
  const { code = '', message = '' } = (await response.json().catch(() => ({}))) as {
    code?: string
    message?: string
  }
  return { kind: 'refused', status: response.status, code, message }
}

/** better-auth wraps what the database throws: whether that is a 503 is told by the inner one. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error
}

/** The token of the session that an answer has begun, from its cookie: the body may name the one before. */
export function newSessionToken({ setCookies }: AuthAnswer): string | null {
  const begin = `${cookiePrefix}.session_token=`
  const value = setCookies.findLast((line) => line.startsWith(begin))?.slice(begin.length)
  return value === undefined ? null : (decodeURIComponent(value.replace(/;.*$/, '')).split('.')[0] ?? null)
}

export interface SignedIn {
  sessionId: string
  user: { id: string; name: string; email: string; has_second_factor: boolean }
  /** The account that the session was told to look at. */
  lookedAt: string | null
  /** Sent when the session was renewed. */
  setCookies: string[]
}

/** Who holds the session cookie, by the database: a session that was ended a moment ago is none. */
export async function findSession(openAuth: OpenAuth, cookie: string | undefined): Promise<SignedIn | null> {
  if (!cookie?.includes(`${cookiePrefix}.session_token=`)) return null
  const auth = await openAuth()
  const { response, headers } = await auth.api
    .getSession({ headers: new Headers({ cookie }), returnHeaders: true })
    .catch((error: unknown) => {
      throw causeOf(error)
    })
  if (!response) return null
  const { session, user } = response
  return {
    sessionId: session.id,
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      has_second_factor: user.twoFactorEnabled === true,
    },
    lookedAt: session.lookedAt ?? null,
    setCookies: headers.getSetCookie(),
  }
}
