import createClient from 'openapi-fetch'
import type { paths, Schemas } from '../../contract/index.ts'
import { oncePerPress } from './one-submission.ts'

/** The dashboard's interface, typed by its contract. Every call that is not a success throws `ApiFailure`. */
export const api = createClient<paths>({
  headers: { 'X-Ratecard-Dashboard': '1' },
  fetch: oncePerPress((request) => fetch(request)),
})

/** The error that the server answered, or that the server could not be reached. */
export class ApiFailure extends Error {
  readonly code: Schemas['ErrorCode'] | 'unreachable'
  readonly requestId: string | null

  constructor(code: ApiFailure['code'], message: string, requestId: string | null) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
    this.requestId = requestId
  }
}

api.use({
  async onResponse({ response }) {
    if (response.ok || response.status === 304) return
    const requestId = response.headers.get('x-request-id')
    const body = (await response
      .clone()
      .json()
      .catch(() => null)) as Schemas['ErrorBody'] | null
    throw new ApiFailure(
      body?.error ?? 'internal_error',
      body?.message ?? `The server answered ${response.status}.`,
      requestId,
    )
  },
  onError() {
    return new ApiFailure('unreachable', 'The server cannot be reached. Check your connection.', null)
  },
})

/** The body of a successful answer. Every other answer has thrown before. */
export async function bodyOf<Body>(answer: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await answer
  if (data === undefined) throw new ApiFailure('internal_error', 'The answer has no body.', null)
  return data
}

/** What the body has under `data`. */
export async function dataOf<Data>(answer: Promise<{ data?: { data: Data } }>): Promise<Data> {
  return (await bodyOf(answer)).data
}
