import type { Reply } from './attempt.ts'
import { type RateLimit, readAbout } from './rate-limit.ts'

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

/** A promise of the result alone, with the rest within reach. */
export interface ApiPromise<T> extends Promise<T> {
  /** The result together with response, rate limit and request id. */
  withResponse(): Promise<ApiResponse<T>>
}

export function apiPromise<T>(reply: Promise<Reply<T>>): ApiPromise<T> {
  // Derived only when asked for: a second promise that nobody looks at would report the same failure once more.
  const data = () => reply.then((answer) => answer.data)
  const withResponse = async () => {
    const answer = (await reply) as ApiResponse<T>
    return { ...answer, ...readAbout(answer.response.headers) }
  }
  return Object.assign(thenable(data), { withResponse, [Symbol.toStringTag]: 'ApiPromise' })
}

/** What a promise can do, with a promise that is made when something is asked of it. */
export function thenable<T>(make: () => Promise<T>): Pick<Promise<T>, 'then' | 'catch' | 'finally'> {
  return {
    then: (onDone, onFail) => make().then(onDone, onFail),
    catch: (onFail) => make().catch(onFail),
    finally: (onEnd) => make().finally(onEnd),
  }
}
