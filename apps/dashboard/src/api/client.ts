import type { Answered, Asked, ErrorBody, Route } from '../../contract/index.ts'
import { oncePerPress } from './one-submission.ts'
import { noteAnswer, noteAway } from './reach.ts'

/** The error that the server answered, or that the server could not be reached. */
export class ApiFailure extends Error {
  readonly code: ErrorBody['error'] | 'unreachable'
  readonly requestId: string | null

  constructor(code: ApiFailure['code'], message: string, requestId: string | null) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
    this.requestId = requestId
  }
}

const send = oncePerPress((request) => fetch(request))
let whenSignedInAgain: () => Promise<void> | null = () => null

/**
 * What reads when the session is over waits for the next one, where something would be lost otherwise.
 * @param wait null: nothing would be
 */
export function waitForSession(wait: typeof whenSignedInAgain): void {
  whenSignedInAgain = wait
}

let shownAccount: () => string | undefined = () => undefined

/** The server refuses what would be about another account than the one on the screen, which each call then names. */
export function nameAccount(read: typeof shownAccount): void {
  shownAccount = read
}

interface Parts {
  path?: Record<string, string>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

export type Sending<Address extends Route> =
  object extends Asked<Address> ? [sent?: Asked<Address>] : [sent: Asked<Address>]

/**
 * Asks the server, typed by its operations.
 * @returns the body of the answer, a Blob where that is a file
 * @throws ApiFailure for every answer that is no success
 */
export async function call<Address extends Route>(
  route: Address,
  ...[sent]: Sending<Address>
): Promise<Answered<Address>> {
  const response = await send(buildRequest(route, sent ?? {})).catch(() => {
    noteAway()
    throw new ApiFailure('unreachable', 'The server cannot be reached. Check your connection.', null)
  })
  noteAnswer()
  if (!response.ok) {
    const failure = await readFailure(response)
    const isRead = route.startsWith('GET ') && route !== 'GET /me'
    const signedIn = failure.code === 'not_signed_in' && isRead ? whenSignedInAgain() : null
    if (signedIn === null) throw failure
    await signedIn
    return call(route, ...([sent] as Sending<Address>))
  }
  // One that has JSON in it is a file all the same.
  const isFile = response.headers.has('content-disposition')
  return (await (isFile ? response.blob() : response.json())) as Answered<Address>
}

function buildRequest(route: Route, { path = {}, query = {}, body }: Parts): Request {
  const [method = '', template = ''] = route.split(' ')
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const url = new URL(`/dashboard/api${filled}`, window.location.origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const account = shownAccount()
  return new Request(url, {
    method,
    headers: {
      'X-Ratecard-Dashboard': '1',
      ...(account !== undefined && { 'X-Ratecard-Account': account }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

async function readFailure(response: Response): Promise<ApiFailure> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  return new ApiFailure(
    body?.error ?? 'internal_error',
    body?.message ?? `The server answered ${response.status}.`,
    response.headers.get('x-request-id'),
  )
}

export type DataOf<Address extends Route> = Answered<Address> extends { data: infer Data } ? Data : never

/** As `call`; returns what the body of the answer has under `data`. */
export async function callData<Address extends Route>(
  route: Address,
  ...sent: Sending<Address>
): Promise<DataOf<Address>> {
  return ((await call(route, ...sent)) as { data: DataOf<Address> }).data
}
