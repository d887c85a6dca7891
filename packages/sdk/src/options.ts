import { readEnvironment } from './environment.ts'
import { ConfigurationError } from './errors.ts'
import type { RateLimit } from './headers.ts'
import type { Hooks } from './hooks.ts'

/** What a custom `fetch` is called with, once per attempt. */
export interface FetchInit {
  method: string
  headers: Record<string, string>
  body: string | null
  signal: AbortSignal
  /** Redirects are not followed: the key stays with `baseUrl`. */
  redirect: 'manual'
}

/** The part of a `Response` that the client reads. */
export interface FetchResponse {
  readonly ok: boolean
  readonly status: number
  readonly headers: {
    get(name: string): string | null
    forEach(each: (value: string, name: string) => void): void
  }
  /** A web stream, if it has one: it is then read no further than `maxResponseBytes`. Else `text` is asked. */
  readonly body?: unknown
  text(): Promise<string>
}

/** A `fetch`: the global one, undici's, or a function around one of them. */
export type FetchLike = (url: string, init: FetchInit) => Promise<FetchResponse>

/** Headers by name; undefined is none. `Authorization` cannot be among them. */
export type HeaderValues = Record<string, string | undefined>

/** What a single call can set. */
export interface RequestOptions {
  /** Ends the call, whatever it is doing: sending, reading, pausing. It then rejects with `RequestAbortedError`. */
  signal?: AbortSignal | undefined
  /** The longest time for one attempt, reading the body included. 30,000 when left out. */
  timeoutMs?: number | undefined
  /** The longest time for the whole call, attempts and pauses together. None when left out. */
  deadlineMs?: number | undefined
  /** How many times a failed request is sent again. 2 when left out; 0 means exactly one request. */
  maxRetries?: number | undefined
  /** The longest `Retry-After` to wait for; when the server asks for more, the call fails at once. 60,000 when left out. */
  maxRetryAfterMs?: number | undefined
  /** The most bytes that an answer may have, decompressed. 33,554,432 (32 MiB) when left out. */
  maxResponseBytes?: number | undefined
  /**
   * More headers, for example `traceparent`, or a function that gives them and is asked once for each call. `Authorization`
   * cannot be set here.
   */
  headers?: HeaderValues | (() => HeaderValues) | undefined
}

/** How a client is made. Everything is optional. */
export interface RatecardOptions {
  /**
   * The API key, or a function that gives it. It is called before each attempt and may return a rotated key.
   * `RATECARD_API_KEY` when left out.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined
  /** Where the service is, for example `https://api.ratecard.example`. `RATECARD_BASE_URL` when left out. */
  baseUrl?: string | undefined
  /** Allows `http://` for other than loopback addresses. The key then travels unencrypted. */
  allowHttp?: boolean | undefined
  /** The longest time for one attempt, reading the body included. 30,000 when left out. */
  timeoutMs?: number | undefined
  /** The longest time for a whole call, attempts and pauses together. None when left out. */
  deadlineMs?: number | undefined
  /** How many times a failed request is sent again. 2 when left out; 0 means exactly one request. */
  maxRetries?: number | undefined
  /** The longest `Retry-After` to wait for; when the server asks for more, the call fails at once. 60,000 when left out. */
  maxRetryAfterMs?: number | undefined
  /** What sends requests. The global `fetch`, looked up at each request, when left out. */
  fetch?: FetchLike | undefined
  /** The most bytes that an answer may have, decompressed. 33,554,432 (32 MiB) when left out. */
  maxResponseBytes?: number | undefined
  /**
   * Headers for every request, or a function that gives them and is asked once for each call, when it is made: for
   * `traceparent` and `tracestate` of the current trace. `Authorization` cannot be set here.
   */
  headers?: HeaderValues | (() => HeaderValues) | undefined
  /** Called with the state of the daily quota for every answer that carries it. What it throws is ignored. */
  onRateLimit?: ((rateLimit: RateLimit) => void) | undefined
  /** Functions that watch calls, requests, answers and retries. */
  hooks?: Hooks | undefined
  /** Allows calls with a key from a web page. Every visitor of the page can then read the key. */
  dangerouslyAllowBrowser?: boolean | undefined
}

const defaults = {
  timeoutMs: 30_000,
  deadlineMs: Infinity,
  maxResponseBytes: 2 ** 25,
  maxRetries: 2,
  maxRetryAfterMs: 60_000,
}

/** All that one call needs to know, checked. */
export interface CallSettings
  extends Omit<RatecardOptions, keyof typeof defaults | 'headers'>, Readonly<typeof defaults> {
  signal?: AbortSignal | undefined
  /** Whether the key is sent. */
  authenticated: boolean
  headers: Record<string, string>
}

/** `over` on top of `base`; what is undefined in `over` changes nothing, and headers are merged one by one. */
export function mergeOptions(base: RatecardOptions, over: RatecardOptions | RequestOptions): RatecardOptions {
  if (typeof over !== 'object' || over === null)
    throw new ConfigurationError('The options must be an object.')
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value !== undefined) merged[name as keyof RatecardOptions] = value as never
  }
  const headers = () => ({ ...readHeaders(base.headers), ...readHeaders(over.headers) })
  const isAsked = typeof base.headers === 'function' || typeof over.headers === 'function'
  merged.headers = isAsked ? headers : headers()
  return merged
}

function readHeaders(headers: RatecardOptions['headers'] = {}): HeaderValues {
  const values: unknown = typeof headers === 'function' ? headers() : headers
  // A Headers, a Map, a list of pairs or a promise would vanish without a word.
  if (Object(values) !== values || Symbol.iterator in (values as object) || 'then' in (values as object))
    throw new ConfigurationError('headers must be a plain object.')
  return values as HeaderValues
}

export function callSettings(
  client: RatecardOptions,
  call: RequestOptions = {},
  authenticated = true,
): CallSettings {
  const settings = { ...defaults, ...mergeOptions(client, call), authenticated } as CallSettings
  for (const name of Object.keys(defaults) as (keyof typeof defaults)[]) {
    const value: unknown = settings[name]
    const mayBeZero = name.startsWith('maxRetr')
    if (typeof value !== 'number' || !(mayBeZero ? value >= 0 : value > 0))
      throw new ConfigurationError(`${name} must be a number${mayBeZero ? ', 0 or more' : ' above 0'}.`)
  }
  if (settings.signal && typeof settings.signal.addEventListener !== 'function')
    throw new ConfigurationError('signal must be an AbortSignal.')
  const headers = new Headers()
  for (const [name, value] of Object.entries(readHeaders(settings.headers))) {
    try {
      if (value !== undefined) headers.set(name, value)
    } catch {
      // Said here, as the error of a refused header prints its value.
      throw new ConfigurationError(`The header ${JSON.stringify(name)} cannot be sent.`)
    }
  }
  if (headers.has('authorization'))
    throw new ConfigurationError('Set the option apiKey instead of authorization.')
  settings.headers = Object.fromEntries(headers)
  return settings
}

const loopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/** Where the service is, checked, without a trailing slash. */
export function readBaseUrl({
  baseUrl = readEnvironment('RATECARD_BASE_URL'),
  allowHttp,
}: RatecardOptions): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError('There is no base URL. Set the option baseUrl or RATECARD_BASE_URL.')
  }
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const isAllowed =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && (allowHttp || loopback.test(url.hostname)))
  // The address is not repeated: it may be a misplaced key.
  if (!url || !isAllowed || /[?#@]/.test(baseUrl)) {
    throw new ConfigurationError(
      'baseUrl must be like https://api.ratecard.example, without user info, query and fragment; http:// needs allowHttp.',
    )
  }
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
