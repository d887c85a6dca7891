/** The kind of a change. An open list: expect unknown values. */
export type ChangeCategory =
  | 'price_cut'
  | 'price_rise'
  | 'model_added'
  | 'model_removed'
  | 'deprecation'
  | 'tier_change'
  | 'correction'
  | 'metadata'
  | 'incident'
  | (string & {})

/** A published change in short. Fields that this version does not know are kept. */
export interface AlertedChange {
  /** The `id` of the change. De-duplicate by it. */
  id: string
  /** The maker of the model, for example `openai`. */
  vendor: string
  /** The canonical product, for example `openai/gpt-4o-mini`. */
  product: string
  /** The kind of the change. */
  category: ChangeCategory
  /** The change in one line, up to 200 characters. */
  title: string
  /** The change in a few sentences, up to 4,000 characters. */
  summary: string
  /** How much it matters, from 1 (little) to 5 (very much). */
  severity: number
  /** The address of a page about the change. */
  url: string
}

/** Changes were published. */
export interface ChangeAlert {
  event: 'change.alert'
  /** The time of this attempt, as text: RFC 3339 with a zone. Ratecard sends UTC with six decimals and `Z`. */
  timestamp: string
  /** 1 to 100 changes, in the order of their publication. */
  changes: AlertedChange[]
}

/** The content of a delivery. `event` distinguishes the kinds. */
export type RatecardWebhookEvent = ChangeAlert

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
