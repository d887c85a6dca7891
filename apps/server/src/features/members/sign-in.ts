import { clientAddressHeader, cookiePrefix, type OpenAuth } from './auth.ts'

/** After ten wrong codes in a row better-auth accepts no second factor of the user for this time. */
const lockSeconds = 900

/** A request to better-auth, and its sender. */
export interface AuthRequest {
  /** Such as `/sign-in/email`. */
  path: string
  body?: object
  /** The `Cookie` header of the request, if any. */
  cookie: string | undefined
  /** The address of the client, which the list of sessions shows. */
  clientAddress: string
  userAgent: string | undefined
}

/** The request succeeded. */
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

/** Calls better-auth as its HTTP router would. Its answer is internal: it contains a session's token. */
export async function askAuth(openAuth: OpenAuth, request: AuthRequest): Promise<AuthOutcome> {
  const auth = await openAuth()
  const { baseURL, basePath } = auth.options
  const url = new URL(basePath + request.path, baseURL)
  const headers = new Headers({ [clientAddressHeader]: request.clientAddress })
  if (request.cookie !== undefined) headers.set('cookie', request.cookie)
  if (request.userAgent !== undefined) headers.set('user-agent', request.userAgent)
  if (request.body) headers.set('content-type', 'application/json')
  const response = await auth.handler(
    new Request(url, {
      method: 'POST',
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

/** better-auth wraps the database's errors. The inner error decides whether the answer is 503. */
function findCause(error: unknown): unknown {
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
  /** Whether the user has shown that they read the mailbox of their address. */
  isEmailVerified: boolean
  user: { id: string; name: string; email: string; has_second_factor: boolean }
  /** The account that was chosen for the session. */
  lookedAt: string | null
  /** The cookies of a renewed session; empty otherwise. */
  setCookies: string[]
}

/** The user of the session cookie. It is read from the database: a session that has just ended is none. */
export async function findSession(openAuth: OpenAuth, cookie: string | undefined): Promise<SignedIn | null> {
  if (!cookie?.includes(`${cookiePrefix}.session_token=`)) return null
  const auth = await openAuth()
  const { response, headers } = await auth.api
    .getSession({ headers: new Headers({ cookie }), returnHeaders: true })
    .catch((error: unknown) => {
      throw findCause(error)
    })
  if (!response) return null
  const { session, user } = response
  return {
    sessionId: session.id,
    isEmailVerified: user.emailVerified,
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
