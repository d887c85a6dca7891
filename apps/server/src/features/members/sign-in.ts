import { isDatabaseUnavailable } from '../../database/connect.ts'
import { clientAddressHeader, cookiePrefix, type OpenAuth } from './auth.ts'

/** What better-auth is asked, and by whom. */
export interface AuthRequest {
  method: 'GET' | 'POST'
  /** Such as `/sign-in/email`. */
  path: string
  query?: Record<string, string>
  body?: object
  /** The `Cookie` header of the request, if any. */
  cookie: string | undefined
  /** Where the request came from: attempts are counted by it. */
  clientAddress: string
  userAgent: string | undefined
}

export type AuthOutcome =
  | { kind: 'done'; setCookies: string[] }
  | { kind: 'too_many'; retrySeconds: number }
  /** `code` is one of better-auth's, such as `INVALID_TOKEN`. */
  | { kind: 'refused'; status: number; code: string; message: string }

/** Asks as its router is asked over HTTP, so that attempts are counted. What it answers but cookies is dropped. */
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
  if (response.status === 429) {
    return {
      kind: 'too_many',
      retrySeconds: Math.max(1, Number(response.headers.get('x-retry-after') ?? 60)),
    }
  }
  if (response.ok) return { kind: 'done', setCookies: response.headers.getSetCookie() }
  if (response.status >= 500) throw new Error(`better-auth answered ${response.status} to ${request.path}.`)
  const { code = '', message = '' } = (await response.json().catch(() => ({}))) as {
    code?: string
    message?: string
  }
  return { kind: 'refused', status: response.status, code, message }
}

export interface SignedIn {
  sessionId: string
  user: { id: string; name: string; email: string }
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
      // better-auth wraps what kept it from reading: that the database is away is ours to answer.
      const { cause } = error as { cause?: unknown }
      throw isDatabaseUnavailable(cause) ? cause : error
    })
  if (!response) return null
  const { session, user } = response
  return {
    sessionId: session.id,
    user: { id: user.id, name: user.name, email: user.email },
    lookedAt: session.lookedAt ?? null,
    setCookies: headers.getSetCookie(),
  }
}
