import type { Reply } from './attempt.ts'
import { readBaseUrl } from './base-url.ts'
import { ConfigurationError, RatecardError } from './errors.ts'
import { type CallSettings, callSettings, type RatecardOptions, type RequestOptions } from './options.ts'
import { createInner, type Inner } from './transport.ts'

/** What openapi-fetch is told with every call. */
// A type, not an interface: openapi-fetch wants an index signature, which only a type has by itself.
export type InnerInit = {
  baseUrl: string
  parseAs: 'stream'
  settings: CallSettings
}

/** What the resources share. */
export interface Core {
  readonly options: RatecardOptions
  /** Makes a call. Whatever goes wrong is a rejection, never thrown at once. */
  call<T>(
    send: (inner: Inner, init: InnerInit) => Promise<{ data?: unknown }>,
    request?: RequestOptions,
    authenticated?: boolean,
  ): Promise<Reply<T>>
}

export function createCore(options: RatecardOptions): Core {
  const inner = createInner()
  const initOf = (request?: RequestOptions, authenticated?: boolean): InnerInit => {
    const settings = callSettings(options, request, authenticated)
    return { baseUrl: readBaseUrl(options), parseAs: 'stream', settings }
  }
  // Most calls set nothing of their own.
  let usual: InnerInit | undefined
  return {
    options,
    async call<T>(
      send: (inner: Inner, init: InnerInit) => Promise<{ data?: unknown }>,
      request?: RequestOptions,
      authenticated = true,
    ) {
      try {
        const init = request || !authenticated ? initOf(request, authenticated) : (usual ??= initOf())
        const { data } = await send(inner, init)
        return data as Reply<T>
      } catch (error) {
        if (error instanceof RatecardError) throw error
        // An invalid Date, half a surrogate pair, a body that refers to itself.
        throw new ConfigurationError(`The call cannot be made: ${(error as Error).message}`, { cause: error })
      }
    },
  }
}
