/** What kind of change it is. An open list: expect values you do not know. */
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
  /** Who made the model, for example `openai`. */
  vendor: string
  /** The canonical product, for example `openai/gpt-4o-mini`. */
  product: string
  /** What kind of change it is. */
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

/** What a delivery tells: told apart by `event`, of which there is one kind today. */
export type RatecardWebhookEvent = ChangeAlert

/** What is needed of a `Request`; the platform's own has it all. */
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

/** All headers of the request, in any common shape and any case: `Headers` and what has its `get`, pairs, an object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * `secret`: the secret of the subscription; `undefined` is refused as `bad_secret`, so that an environment variable
 * can be passed as it is. `secrets`: several, while you rotate; all are tried each time. Neither: the environment
 * variable `RATECARD_WEBHOOK_SECRET`.
 */
export type SecretOptions =
  | { secret: string | undefined; secrets?: never }
  | { secrets: readonly (string | undefined)[]; secret?: never }
  | { secret?: never; secrets?: never }

export interface ReadOptions {
  /** Refuse a larger body, in bytes, when it is read from a request. 1,048,576 (1 MiB) unless told. */
  maxBodyBytes?: number | undefined
}

export type SignatureOptions = SecretOptions & ReadOptions

export interface FreshnessOptions {
  /** How far `timestamp` may be from now, in seconds, both ways. 300 unless told; `Infinity` switches the check off. */
  toleranceSeconds?: number | undefined
  /** The clock: a `Date` or milliseconds since 1970. `Date.now` unless told. */
  now?: (() => Date | number) | undefined
}

export interface ReplayOptions<Answer> {
  /**
   * Asked last, of a delivery that is valid: was it handled before? A truthy answer refuses it as `replayed`. Only
   * look the key up here, and record it when your work is done: what fails half-way must be let in again. When the
   * function throws, the delivery is not let in and the error is passed on.
   * @param key made of `changes[].id`: the same on every attempt of a delivery. See {@link replayKey}.
   */
  seen?: ((key: string, event: RatecardWebhookEvent) => Answer) | undefined
}

export type VerifyOptions = SignatureOptions &
  FreshnessOptions &
  ReplayOptions<boolean | number | Promise<boolean | number>>

/** Which secret signed: its index in `secrets`; 0 for `secret`. */
export interface SignatureResult {
  secretIndex: number
}
