// Made from openapi.yaml by scripts/models.ts. Do not edit: change openapi.yaml and run `pnpm generate`.

/**
 * What travels over the wire, by name. Responses are handed on as received: fields that a newer server adds are there
 * at run time, and a string with known values may hold others in future.
 */

/** Known values, open for those of a newer server: editors complete the known ones, and any other string is allowed. */
export type Open<Known extends string> = Known | (string & {})

/**
 * What kind of model it is. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
 * `ocr`, `search` and `other`; others may be added.
 */
export type Modality = Open<
  | 'llm'
  | 'embedding'
  | 'image'
  | 'audio'
  | 'video'
  | 'rerank'
  | 'moderation'
  | 'ocr'
  | 'search'
  | 'other'
>

/**
 * What the headline price is per. In use are `1m_tokens`, `1m_characters`, `image`, `minute`, `second`, `query`,
 * `page`, `request`, `pixel`, `session` and `dbu`; others may be added.
 */
export type PriceUnit = Open<
  | '1m_tokens'
  | '1m_characters'
  | 'image'
  | 'minute'
  | 'second'
  | 'query'
  | 'page'
  | 'request'
  | 'pixel'
  | 'session'
  | 'dbu'
>

/**
 * What kind of change it is. An open list; in use are `price_cut`, `price_rise`, `model_added`, `model_removed`,
 * `deprecation`, `tier_change`, `correction`, `metadata` and `incident`.
 */
export type ChangeCategory = Open<
  | 'price_cut'
  | 'price_rise'
  | 'model_added'
  | 'model_removed'
  | 'deprecation'
  | 'tier_change'
  | 'correction'
  | 'metadata'
  | 'incident'
>

/** Where the change stands. An open list; in use are `announced`, `in_effect` and `withdrawn`. */
export type ChangeStatus = Open<'announced' | 'in_effect' | 'withdrawn'>

/**
 * A stored price record. Every field is always present. Prices are exact decimals with at most 9 decimals; null
 * means unknown or not applicable, 0 means free of charge.
 */
export interface Price {
  /** Identifies the record and stays the same over time: `platform[:region]:<id the platform uses>`, case-sensitive. */
  resource_id: string
  /** The canonical product, `vendor/model`, when the record is linked to one; else null. */
  product_id: string | null
  /** Who made the model; `unknown` when nobody can tell. */
  vendor: string
  /** Where one pays, for example the vendor's own platform, a cloud or a router. */
  platform: string | null
  /**
   * What kind of model it is. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
   * `ocr`, `search` and `other`; others may be added.
   */
  modality: Modality | null
  /** The region the price holds for, when the platform prices by region. */
  region: string | null
  /**
   * What the headline price is per. In use are `1m_tokens`, `1m_characters`, `image`, `minute`, `second`, `query`,
   * `page`, `request`, `pixel`, `session` and `dbu`; others may be added.
   */
  unit: PriceUnit | null
  /** Price of one million input tokens. An exact decimal with at most 9 decimals. */
  input_per_mtok: number | null
  /** Price of one million output tokens. An exact decimal with at most 9 decimals. */
  output_per_mtok: number | null
  /** Price of one million input tokens read from a cache. An exact decimal with at most 9 decimals. */
  cached_input_per_mtok: number | null
  /** Price of one image. An exact decimal with at most 9 decimals. */
  image_per_unit: number | null
  /** Price of one minute of audio. An exact decimal with at most 9 decimals. */
  audio_per_min: number | null
  /** Price of one second of video. An exact decimal with at most 9 decimals. */
  video_per_sec: number | null
  /** The currency of all prices of the record. */
  currency: string | null
  /** Where the price was read, when there is a page to show. Only ever `http` or `https`, without user information. */
  source_url: string | null
  /**
   * Since when the price holds, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. When the
   * source says nothing, the `updated_at` of the record.
   */
  effective_at: string
  /**
   * When a value of this stored record last moved. It says nothing about when a price was last checked. An instant
   * in UTC, with six decimals and `Z`. Sorts as text.
   */
  updated_at: string
}

/**
 * A published change. With `access` `summary` the details are withheld: `diff_*`, `impact_*` other than
 * `impact_score` and `migration_deadline` are left out or null, and `alternatives` is empty.
 */
export interface Change {
  /** Identifies the change. */
  id: string
  /** Who made the model; `unknown` when nobody can tell. */
  vendor: string
  /** The canonical product id, or the `resource_id` of a record that is not linked to a product. */
  product: string
  /** The modality of the product; `other` when its record has none. */
  modality: Modality
  /**
   * What kind of change it is. An open list; in use are `price_cut`, `price_rise`, `model_added`, `model_removed`,
   * `deprecation`, `tier_change`, `correction`, `metadata` and `incident`.
   */
  category: ChangeCategory
  /** How much it matters, from 1 (little) to 5 (very much). */
  severity: number
  /** The change in one line. */
  title: string
  /** The change in a few sentences. */
  summary: string
  /** The values before, as JSON text: `{resource_id: {field: value}}`. */
  diff_before?: string | null | undefined
  /** The values after, as JSON text: `{resource_id: {field: value}}`. */
  diff_after?: string | null | undefined
  /** What moved, as JSON text: an array of `resource_id#field`. */
  diff_keys?: string | null | undefined
  /** The impact over all, from 0 to 100. */
  impact_score: number
  /** The impact on cost, from 0 to 100. */
  impact_cost?: number | null | undefined
  /** The impact on reliability, from 0 to 100. */
  impact_reliability?: number | null | undefined
  /** How much work a migration is, from 0 to 100. */
  impact_migration?: number | null | undefined
  /** The impact on quality, from 0 to 100. */
  impact_quality?: number | null | undefined
  /** The impact on compliance, from 0 to 100. */
  impact_compliance?: number | null | undefined
  /** What the impact consists of, in words. */
  impact_notes?: string | null | undefined
  /** Until when users must have moved, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. */
  migration_deadline?: string | null | undefined
  /** From when the change holds, as its source says: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. */
  effective_time?: string | null | undefined
  /** When the change was first noticed. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  first_seen: string
  /** When the change was last noticed. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  last_seen: string
  /** Whether somebody has checked the change against its source; null when nobody has said. */
  verified?: boolean | null | undefined
  /** When it was checked, in UTC with six decimals and `Z`. */
  verified_at?: string | null | undefined
  /** Where the change stands. An open list; in use are `announced`, `in_effect` and `withdrawn`. */
  status?: ChangeStatus | null | undefined
  /** Reserved. Ratecard does not count views and never sends it. */
  view_count?: number | null | undefined
  /** When the change was published. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  created_at: string
  /** When a value of the published change last moved. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  updated_at: string
  /** What one could move to, the best first. */
  alternatives: ChangeAlternative[]
  /** Whether the change is given in full or in summary. */
  access: Open<'summary' | 'full'>
}

/** A product one could move to. */
export interface ChangeAlternative {
  /** Identifies the alternative. */
  id: string
  /** The `id` of the change it belongs to. */
  change_id: string
  /** The canonical id of the product. */
  product_id: string
  /** The name of the product as people know it. */
  product_name: string
  /** Who made the product. */
  vendor: string
  /** How much work the move is. */
  migration_effort: Open<'low' | 'medium' | 'high'>
  /** How the cost changes by the move, in per cent; negative is cheaper. */
  cost_diff_pct?: number | null | undefined
  /** How the quality compares, in words. */
  quality_comparison?: string | null | undefined
  /** What else there is to know. */
  notes?: string | null | undefined
  /** The place among the alternatives of the change; 1 is the best. */
  rank: number
  /** When the alternative was published. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  created_at: string
}

/** An event kind, or `*` for all of them, those added in future too. Today there is one. */
export type WebhookEvent = 'change.alert' | '*'

/** A subscription. Its secret is never returned. */
export interface Webhook {
  /** Identifies the subscription. */
  id: string
  /** Where alerts are sent. */
  url: string
  /** Which events are sent. */
  events: Open<WebhookEvent>[]
  /**
   * Whether alerts are sent. It becomes false when the endpoint answers 410, or after 5 days without any success
   * and at least 3 deliveries given up. To start again, delete the subscription and create it anew.
   */
  active: boolean
  /** Whether a signing secret is stored. */
  has_secret: boolean
  /**
   * The HTTP status of the latest attempt; null when there was none, no answer came, or what was answered is no
   * status of HTTP.
   */
  last_status?: number | null | undefined
  /**
   * What went wrong with the latest attempt; null after a success. It begins with one of `timeout`, `dns`, `tls`,
   * `connect`, `blocked_address`, `redirect` or `http_<status>`, followed by a short sentence that says what to do.
   * The status of `http_<status>` are the three digits that were answered, such as `http_999` for one that HTTP
   * does not have.
   */
  last_error?: string | null | undefined
  /** When the subscription was created. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  created_at: string
  /** When the subscription last moved. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  updated_at: string
}

/** Says that something was deleted. */
export interface DeletedResult {
  /** Always true. */
  success: true
}

/** The daily quota of the key. Requests paid by a pack are not in it. */
export interface DailyQuota {
  /** Requests per UTC day of the plan. */
  limit: number
  /** What this key has taken of it today. More than `limit` after a downgrade. */
  used: number
  /** What is left of it today, never below 0. */
  remaining: number
  /** When it starts again, the next UTC midnight. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  reset_at: string
}

/**
 * Metered requests of this key today by endpoint, whether the daily quota or a pack paid. Other endpoints may be
 * added.
 */
export interface EndpointCounts {
  /** Requests to `/v1/prices`. */
  prices: number
  /** Requests to `/v1/changes`. */
  changes: number
  /** Requests to `/v1/webhooks`, of any kind. */
  webhooks: number
  [endpoint: string]: number
}

/** A top-up pack. */
export interface TopupPack {
  /** Identifies the pack. */
  id: string
  /** Requests left in it. */
  remaining: number
  /** When what is left lapses. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  expires_at: string
}

/** The top-up packs of the account. */
export interface TopupBalance {
  /** Requests left in all packs together. */
  remaining: number
  /** The packs that are neither empty nor expired, in the order in which they are used. */
  packs: TopupPack[]
  /** Where to buy a pack. */
  purchase_url: string
}

/** Where a key and its account stand. */
export interface Usage {
  /** The version of the response's form. It stays 1 as long as changes are additive. */
  schema_version?: 1 | undefined
  /** `developer` with any current paid subscription, else `api_free`. */
  plan: Open<'api_free' | 'developer'>
  /** The UTC day the numbers are of. */
  day: string
  /** The daily quota of the key. Requests paid by a pack are not in it. */
  daily_quota: DailyQuota
  /**
   * Metered requests of this key today by endpoint, whether the daily quota or a pack paid. Other endpoints may be
   * added.
   */
  endpoints: EndpointCounts
  /** The sum of `endpoints`. */
  metered_total?: number | undefined
  /** The top-up packs of the account. */
  topup: TopupBalance
}

/** A sign of life. */
export interface Health {
  /** Always `ok`; a service that is not well does not answer. */
  status: Open<'ok'>
  /** The clock of the service. An instant in UTC, with six decimals and `Z`. Sorts as text. */
  timestamp: string
}

/**
 * What went wrong, for programs. `method_not_allowed`, `request_timeout` and `headers_too_large` come from routing
 * and HTTP parsing, before any operation.
 */
export type ErrorCode = Open<
  | 'invalid_request'
  | 'unauthorized'
  | 'webhook_limit_reached'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'quota_exceeded'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
>

/** Which price records, and where to begin. All filters are exact, case-sensitive and combined with "and". */
export interface PriceListParams {
  /** Only rows of this vendor, by its exact id. The vendor is who made the model. */
  vendor?: string | undefined
  /**
   * Only rows of this canonical product, by its exact id. It is compared with the product id as it stands and is
   * never guessed from a resource id.
   */
  product?: string | undefined
  /**
   * Only rows of this platform, by its exact id. The platform is where one pays: a vendor's own, a cloud or a
   * router.
   */
  platform?: string | undefined
  /**
   * Only rows of this modality. In use are `llm`, `embedding`, `image`, `audio`, `video`, `rerank`, `moderation`,
   * `ocr`, `search` and `other`; rows without one cannot be asked for.
   */
  modality?: Modality | undefined
  /** Only rows whose `updated_at` is this instant or later: a Date, or an RFC 3339 instant with an offset. */
  since?: Date | string | undefined
  /** Where to begin: the `nextCursor` of a page, or the `cursor` of an error, with the same filters. */
  cursor?: string | undefined
  /**
   * Rows per page, 1 to 500. When left out, walks ask for 500 and the first page alone has 100. It does not end a
   * walk: see `toArray` for that.
   */
  limit?: number | undefined
}

/** Which changes, and where to begin. All filters are exact, case-sensitive and combined with "and". */
export interface ChangeListParams {
  /** Only rows of this vendor, by its exact id. The vendor is who made the model. */
  vendor?: string | undefined
  /**
   * Only rows of this canonical product, by its exact id. It is compared with the product id as it stands and is
   * never guessed from a resource id.
   */
  product?: string | undefined
  /**
   * Only changes of this category, for example `price_cut` or `deprecation`. `incident` lists operational
   * incidents, which are left out otherwise.
   */
  category?: ChangeCategory | undefined
  /** `true` lists operational incidents among the other changes. It has no effect together with `category`. */
  includeIncidents?: boolean | undefined
  /** Only changes of at least this severity. */
  minSeverity?: number | undefined
  /** Only rows whose `updated_at` is this instant or later: a Date, or an RFC 3339 instant with an offset. */
  since?: Date | string | undefined
  /** Where to begin: the `nextCursor` of a page, or the `cursor` of an error, with the same filters. */
  cursor?: string | undefined
  /**
   * Rows per page, 1 to 500. When left out, walks ask for 500 and the first page alone has 100. It does not end a
   * walk: see `toArray` for that.
   */
  limit?: number | undefined
}

/** A subscription to create. */
export interface WebhookCreateParams {
  /**
   * Where to send alerts. `https://` in lower case, at most 2,048 characters, without user info and without a
   * fragment; any port. It must not name a private, loopback or otherwise reserved address.
   */
  url: string
  /**
   * The key of the HMAC that signs each delivery: 16 to 512 Unicode code points, no control characters. Choose it
   * at random. It is stored encrypted and never returned.
   */
  secret: string
  /** Which events to send. Default: `['change.alert']`. */
  events?: readonly WebhookEvent[] | undefined
}
