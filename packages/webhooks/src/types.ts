import type { RatecardWebhookEvent } from './generated/events.ts'

export type { AlertedChange, ChangeAlert, ChangeCategory, RatecardWebhookEvent } from './generated/events.ts'

/** The part of a `Request` that is used; the platform's own has it. */
export interface WebhookRequest {
  readonly method: string
  readonly headers: { get(name: string): string | null }
  readonly body: unknown
  readonly bodyUsed: boolean
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Bytes in memory, or text that was decoded from UTF-8. */
export type WebhookData = string | ArrayBufferView | ArrayBuffer

/** The raw body, before any parsing. A `Request` is read; pass `request.clone()` to read it once more. */
export type WebhookBody = WebhookData | WebhookRequest

/** All headers of the request, in any common shape and case: `Headers`, anything with its `get`, pairs, an object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * `secret`: the secret of the subscription. `undefined` is refused as `bad_secret`, so an environment variable can be
 * passed unchanged. `secrets`: several, while you rotate; all are tried each time. Neither: the environment variable
 * `RATECARD_WEBHOOK_SECRET`.
 */
export type SecretOptions =
  | { secret: string | undefined; secrets?: never }
  | { secrets: readonly (string | undefined)[]; secret?: never }
  | { secret?: never; secrets?: never }

export interface ReadOptions {
  /** Refuse a larger body, in bytes, when it is read from a request. Default: 1,048,576 (1 MiB). */
  maxBodyBytes?: number | undefined
}

export type SignatureOptions = SecretOptions & ReadOptions

export interface FreshnessOptions {
  /** Maximum difference of `timestamp` and now in seconds, both ways. Default: 300; `Infinity` disables the check. */
  toleranceSeconds?: number | undefined
  /** The clock: a `Date` or milliseconds since 1970. Default: `Date.now`. */
  now?: (() => Date | number) | undefined
}

export interface ReplayOptions<Answer> {
  /**
   * Called last, for a valid delivery: was it handled before? A truthy answer refuses it as `replayed`. Only look
   * the key up here, and record it when your work is done: a delivery whose work failed must be accepted again. When
   * the function throws, the delivery is refused and the error is passed on.
   * @param key made of `changes[].id`: the same on every attempt of a delivery. See {@link replayKey}.
   */
  seen?: ((key: string, event: RatecardWebhookEvent) => Answer) | undefined
}

export type VerifyOptions = SignatureOptions &
  FreshnessOptions &
  ReplayOptions<boolean | number | Promise<boolean | number>>

/** The secret that signed: its index in `secrets`; 0 for `secret`. */
export interface SignatureResult {
  secretIndex: number
}
