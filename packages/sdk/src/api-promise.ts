import type { Reply } from './attempt.ts'
import { waitFor } from './caller-stack.ts'
import { type RateLimit, readAbout } from './headers.ts'

/** A result together with what came along with it. */
export interface ApiResponse<T> {
  data: T
  /** Status and headers. The body has been read: it is `data`. */
  response: Response
  /** Where the daily quota stood; undefined when the answer does not say. */
  rateLimit: RateLimit | undefined
  /** Identifies the request. Name it when you ask for help. */
  requestId: string | undefined
}

/** A promise of the result alone, with the rest within reach. It is a `Promise` like any other. */
export interface ApiPromise<T> extends Promise<T> {
  /** The result together with response, rate limit and request id. */
  withResponse(): Promise<ApiResponse<T>>
}

export function apiPromise<T>(reply: Promise<Reply<T>>): ApiPromise<T> {
  const data = waitFor(reply.then((answer) => answer.data))
  const withResponse = async () => {
    // A caller of `withResponse` gets a failure here. The promise of the data alone must not report it once more.
    data.catch(() => {})
    const answer = (await waitFor(reply)) as ApiResponse<T>
    return { ...answer, ...readAbout(answer.response.headers) }
  }
  // Not enumerable: it prints as the promise it is.
  return Object.defineProperty(data, 'withResponse', { value: withResponse }) as ApiPromise<T>
}
