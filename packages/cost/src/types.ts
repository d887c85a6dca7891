import type { Catalog } from './book.ts'

// What goes in and what comes out. Names of meters and units are the snapshot's: nothing is translated on the way.

/** An exact decimal as text, such as `0.075`. Money is never a binary number here. */
export type Decimal = string

/** How much of something: a whole number, or a decimal where seconds and minutes are counted. Never negative. */
export type Count = number | bigint | Decimal

/** Known values complete in an editor, and any other string is allowed. */
export type Open<Known extends string> = Known | (string & {})

/**
 * What is counted, as a rate card of the snapshot names it. Tokens of one usage are counted once: what was read from a
 * cache is in `cached_input_tokens` and not in `input_tokens`, and reasoning is not in `output_tokens`.
 */
export type Meter = Open<
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'input_audio_tokens'
  | 'cached_input_audio_tokens'
  | 'output_audio_tokens'
  | 'input_image_tokens'
  | 'cached_input_image_tokens'
  | 'output_image_tokens'
  | 'input_video_tokens'
  | 'output_video_tokens'
  | 'input_audio_minutes'
  | 'output_audio_minutes'
  | 'output_images'
  | 'output_video_seconds'
  | 'input_characters'
  | 'input_audio_seconds'
  | 'searches'
  | 'queries'
  | 'pages'
  | 'requests'
  | 'code_executions'
  | 'code_interpreter_sessions'
>

/**
 * Counts by meter. Where a meter has several kinds, by kind: `{ cache_write_tokens: { '5m': 900, '1h': 100 } }`,
 * `{ output_images: { '1024x1024/hd': 1 } }`, `{ searches: { high: 2 } }`.
 */
export type Counts = { readonly [M in Meter]?: Count | { readonly [variant: string]: Count } | undefined }

/** What was used, as the readers of `@ratecard/cost/readers` make it, or as a program writes it by itself. */
export interface Usage {
  readonly counts: Counts
  /** The model as the answer names it. */
  readonly model?: string | undefined
  /** Where it is paid, when the shape of the answer proves it. */
  readonly platform?: string | undefined
  /** The service tier that was billed, as the answer names it; none is the standard one. */
  readonly tier?: string | undefined
  /** The region in which the answer says that it was served. */
  readonly region?: string | undefined
  /** When it was: RFC 3339, or seconds since 1970 as vendors write `created`. */
  readonly at?: string | number | Date | undefined
  /** Of how many requests this is the sum. Above 1 no threshold is passed: a sum over requests picks no tier. */
  readonly requests?: number | undefined
  /** What the provider itself says that it cost. */
  readonly reported?: Money | undefined
}

/** An amount with its currency. */
export interface Money {
  readonly amount: Decimal
  readonly currency: string
}

/** What `costOf` is told besides the usage. What is named here wins over what the usage says. */
export interface CostOptions {
  readonly catalog: Catalog
  /** The model as anything spells it: see `resolve`. */
  readonly model?: string | undefined
  /** Where it is paid: `openai`, `bedrock`, `vertex_ai`, `azure`, `openrouter`, … */
  readonly platform?: string | undefined
  /** When it was used. Without it the prices of the catalog's own moment hold. */
  readonly at?: string | number | Date | undefined
  /** `batch`, `flex`, `priority`, `fast`, …; `standard` and `default` are the same as none. */
  readonly tier?: string | undefined
  /** The region that is billed, where a platform prices by region: `us`, `eu-west-1`, … */
  readonly region?: string | undefined
  /** Names of your own: deployments of Azure, aliases of a gateway. Each leads to a name that is resolved as any. */
  readonly deployments?: Readonly<Record<string, string>> | undefined
  /** What you pay, where it is not the list price. */
  readonly overrides?: Overrides | undefined
  /** The cost that the provider reports is the total, where it reports one. */
  readonly preferReported?: boolean | undefined
}

/**
 * Laid over list prices. Of several multipliers the most special one holds: the model's, else the platform's, else the
 * global one. They are not multiplied with one another.
 */
export interface Overrides {
  /** `0.9` is ten percent off, `1.055` a router's fee. */
  readonly multiplier?: Count | undefined
  /** By tier, what the standard rate is multiplied by: `{ batch: 0.5 }`. In place of the list's own rates of the tier. */
  readonly tiers?: Readonly<Record<string, Count>> | undefined
  readonly platforms?: Readonly<Record<string, Override>> | undefined
  /** By the name as you give it, else by `resource_id`, else by `product_id`. A model of your own needs `rates`. */
  readonly models?: Readonly<Record<string, Override>> | undefined
}

/** Of one platform or of one model. */
export interface Override {
  readonly multiplier?: Count | undefined
  readonly tiers?: Readonly<Record<string, Count>> | undefined
  /**
   * Prices of your own by meter, per the unit that the meter has in the snapshot: tokens per million. An amount alone is due
   * under whichever conditions; a list has one for each, and what it leaves out is the list's. They are not multiplied.
   */
  readonly rates?: { readonly [M in Meter]?: Count | readonly OwnRate[] | undefined } | undefined
  /** What a model of your own is paid in. Default: USD. */
  readonly currency?: string | undefined
}

/** A price of your own, and when it is due. Without a condition it is the standard one. */
export interface OwnRate {
  readonly amount: Count
  readonly tier?: string | undefined
  readonly region?: string | undefined
  /** Which kind of the meter: `1h` of a cache, `1024x1024` of images. */
  readonly variant?: string | undefined
  /** Above how many tokens of input. */
  readonly threshold?: number | undefined
  /** In UTC: `16:30-00:30`. */
  readonly hours?: string | undefined
}

/** One kind of use, priced. */
export interface CostLine {
  readonly meter: Meter
  /** Which kind of the meter was counted: `1h` of a cache. */
  readonly variant: string | null
  readonly count: Decimal
  /** What the rate is per: `1m_tokens`, `query`, `minute`, … */
  readonly unit: string
  /** What was paid per unit, multipliers included. */
  readonly rate: Decimal
  readonly amount: Decimal
  /** The list price before multipliers; null: the rate is yours. */
  readonly listRate: Decimal | null
  /** By what the list price was multiplied: `overrides`, a region, a mode of service. `1` where nothing was. */
  readonly multiplier: Decimal
  /** The conditions of the rate, by the card. */
  readonly tier: string | null
  readonly threshold: number | null
  readonly hours: string | null
  /** The meter whose rate it is, where the card has none for this one: reasoning is billed as output. */
  readonly billedAs: Meter
  /** The record whose rate it is. */
  readonly resourceId: string
  readonly catalogVersion: string
}

/** Why something has no price. A closed set. */
export type UnpricedReason =
  | 'model_missing'
  | 'model_unknown'
  | 'model_ambiguous'
  | 'no_rate'
  | 'no_rate_for_tier'
  | 'no_rate_for_region'
  | 'no_rate_for_variant'
  | 'no_rate_above_threshold'
  | 'no_rate_card'
  | 'time_needed'
  | 'before_history'
  /** The answer counts something that its reader does not know. The meter is `usage.` and the path of the field. */
  | 'unknown_count'

/** One kind of use that has no price. It is not free: nobody knows what it costs. */
export interface UnpricedLine {
  readonly meter: Meter
  readonly variant: string | null
  readonly count: Decimal
  readonly reason: UnpricedReason
  /** A sentence that says what is missing and what can be done. */
  readonly message: string
}

/** What makes a figure less sure than it looks. */
export type Doubt =
  /** The sum of several requests, and the card has thresholds: some of them may have passed one. */
  | 'sum_of_requests'
  /** The catalog has no rate cards, so conditions such as long context are not known. */
  | 'no_rate_cards'
  /** No two independent sources state the same input and output, or more deny them. */
  | 'not_confirmed'
  /** No source lists the model any more: it is its last price. */
  | 'gone'
  /** The price was checked more than 90 days before the use. */
  | 'catalog_older_than_use'
  /**
   * The catalog first saw the price later than the use. It is not known to have been another one before, so it is taken for
   * the time before as well.
   */
  | 'price_assumed'
  /** The vendor or the source says that this price has ended: it is the last one known. */
  | 'price_ended'
  /**
   * No platform is named, and others than the maker sell it too: the maker's own price is taken. Or the id is that of open
   * weights, and the catalog knows one host of them.
   */
  | 'platform_assumed'
  /** What the vendor bills of such a use depends on what no answer says, or on what nobody has published. */
  | 'vendor_rule'

/** Which state of which catalog a figure rests on. */
export interface CatalogStamp {
  readonly version: string
  /** When the catalog was written. */
  readonly generatedAt: string
  /** The moment that it shows; null: that of `generatedAt`. */
  readonly asOf: string | null
  readonly origin: CatalogOrigin
  /** How old its prices were when the figure was made. */
  readonly ageMs: number
}

export type CatalogOrigin = 'shipped' | 'data' | 'file' | 'url' | 'api'

interface AnyCost {
  readonly lines: readonly CostLine[]
  readonly currency: string | null
  /** The record, and the rule by which the name led to it; null: it led to none. */
  readonly resourceId: string | null
  readonly productId: string | null
  readonly rule: ResolutionRule | null
  readonly candidates: readonly string[]
  /** `reported`: the total is what the provider says, and the lines are beside it. */
  readonly source: 'catalog' | 'reported'
  readonly reported: Money | null
  readonly catalog: CatalogStamp
  /** The day on which the source compared this price with the vendor's page; null: it does not say. */
  readonly checkedOn: string | null
  readonly doubts: readonly Doubt[]
}

/** Everything has a price. */
export interface WholeCost extends AnyCost {
  readonly isWhole: true
  readonly total: Decimal
  readonly currency: string
  readonly unpriced: readonly []
}

/** Something has none: there is no total. */
export interface PartialCost extends AnyCost {
  readonly isWhole: false
  readonly total: null
  /** The sum of what has a price. The cost is this or more. */
  readonly atLeast: Decimal
  readonly unpriced: readonly UnpricedLine[]
}

/** What a usage costs. `total` is a number's text only where `isWhole`. */
export type Cost = WholeCost | PartialCost

/** By which rule a name led to a record. */
export type ResolutionRule =
  /** It is the `resource_id`. */
  | 'resource_id'
  /** It is the id that the named platform uses. */
  | 'platform_id'
  /** A name of yours, in `deployments`. */
  | 'deployment'
  /** A model of yours, in `overrides.models`. */
  | 'override'
  /** A source lists the record under it. */
  | 'alias'
  /** It names the product, `vendor/model` or by a published name, and the platform has one price for it. */
  | 'product'
  /** It is written with a documented ornament: a path, a provider's prefix, `[1m]`, an ARN. */
  | 'spelling'
  /** A dated snapshot that has no record of its own, where the dates of this model make no difference. */
  | 'date'

/** What `resolve` answers. */
export type Resolution =
  | {
      readonly isResolved: true
      readonly record: CatalogRecord
      readonly rule: ResolutionRule
      /** Each spelling on the way from the name to the id that was found. */
      readonly steps: readonly string[]
      /** The region that the name itself states: `bedrock/eu-west-3/…`; null: none. */
      readonly region: string | null
      /** Several platforms sell the model, and none is named: this is the maker's own, or the only one of the catalog. */
      readonly isPlatformAssumed?: boolean
    }
  | {
      readonly isResolved: false
      /** `ambiguous`: several records, with different prices, carry the name. */
      readonly reason: 'unknown' | 'ambiguous'
      /** Ids of records that may be meant. Nobody has chosen among them. */
      readonly candidates: readonly string[]
      readonly message: string
    }

/** One price of a rate card, as the snapshot has it. */
export interface CatalogRate {
  readonly meter: string
  readonly unit: string
  readonly amount: Decimal
  readonly service_tier: string | null
  readonly variant: string | null
  readonly threshold: number | null
  readonly hours: string | null
}

/** The six amounts of a record. */
export interface CatalogAmounts {
  readonly input_per_mtok: Decimal | null
  readonly output_per_mtok: Decimal | null
  readonly cached_input_per_mtok: Decimal | null
  readonly image_per_unit: Decimal | null
  readonly audio_per_min: Decimal | null
  readonly video_per_sec: Decimal | null
}

/** A record of the snapshot: the fields that a cost depends on. Others are let through. */
export interface CatalogRecord extends CatalogAmounts {
  readonly resource_id: string
  readonly product_id: string | null
  readonly vendor: string
  readonly platform: string | null
  readonly modality: string | null
  readonly region: string | null
  readonly currency: string | null
  readonly source_url?: string | null
  readonly effective_at: string | null
  readonly updated_at: string
  readonly is_confirmed?: boolean | null
  readonly gone_since?: string | null
  readonly retires_on?: string | null
  /** The day on which the source compared the price with the vendor's page; null: it does not say. */
  readonly checked_on?: string | null
  /** The day on which the price ended, by its source; null: it says nothing of the kind. */
  readonly ended_on?: string | null
  /** Prices of before, the oldest first. */
  readonly past?: readonly PastPrices[]
  /** Null: the catalog does not have it. */
  readonly rates: readonly CatalogRate[] | null
  /** Null: the catalog does not have them. */
  readonly announced?: readonly AnnouncedAmounts[] | null
  readonly aliases?: readonly CatalogAlias[]
  readonly claims?: readonly CatalogClaim[]
}

/** Prices that held until a day, which is the first of the next ones. */
export interface PastPrices extends CatalogAmounts {
  readonly ended_on: string
  readonly rates: readonly CatalogRate[]
}

/** Prices that begin on a later day. */
export interface AnnouncedAmounts extends CatalogAmounts {
  readonly starts_on: string
}

/** How a source knows a record. */
export interface CatalogAlias {
  readonly key: string
  readonly resource_id: string
  readonly model_name: string
}

/** What a source says, as far as it tells since when a price holds. */
export interface CatalogClaim extends CatalogAmounts {
  readonly since?: Readonly<Record<string, string>> | null
  /** Since when the source has the record. */
  readonly first_seen?: string
}

/** The document that `ratecard prices export --format json` writes and `/snapshot.json` serves. */
export interface Snapshot {
  readonly format: string
  readonly format_version: number
  readonly generated_at: string
  readonly as_of: string | null
  readonly catalog_version: string
  readonly resource_count: number
  readonly resources: readonly CatalogRecord[]
}
