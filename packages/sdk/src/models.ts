/**
 * What travels over the wire, by name. Responses are handed on as received: fields that a newer server adds are there
 * at run time, and a string with known values may hold others in future.
 */

/** Known values, open for those of a newer server: editors complete the known ones, and any other string is allowed. */
export type Open<Known extends string> = Known | (string & {})

/** A kind of model. */
export type Modality = Open<
  'llm' | 'embedding' | 'image' | 'audio' | 'video' | 'rerank' | 'moderation' | 'ocr' | 'search' | 'other'
>

/** What a headline price is per. */
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
 * A stored price record. Prices are exact decimals with at most 9 decimals; null means unknown or not applicable, 0
 * means free of charge.
 */
export interface Price {
  /** Identifies the record and stays the same over time: `platform[:region]:<id the platform uses>`, case-sensitive. */
  resource_id: string
  /** The canonical product, `vendor/model`, when the record is linked to one. */
  product_id: string | null
  /** Who made the model; `unknown` when nobody can tell. */
  vendor: string
  /** Where one pays: the vendor's own platform, a cloud or a router. */
  platform: string | null
  /** What kind of model it is. */
  modality: Modality | null
  /** The region the price holds for, when the platform prices by region. */
  region: string | null
  /** What the headline price is per. */
  unit: PriceUnit | null
  /** Price of one million input tokens. */
  input_per_mtok: number | null
  /** Price of one million output tokens. */
  output_per_mtok: number | null
  /** Price of one million input tokens read from a cache. */
  cached_input_per_mtok: number | null
  /** Price of one image. */
  image_per_unit: number | null
  /** Price of one minute of audio. */
  audio_per_min: number | null
  /** Price of one second of video. */
  video_per_sec: number | null
  /** The currency of all prices of the record, for example `USD`. */
  currency: string | null
  /** Where the price was read, when there is a page to show. */
  source_url: string | null
  /** Since when the price holds: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. */
  effective_at: string
  /** When a value of this record last moved: a timestamp in UTC with six decimals, comparable as text. */
  updated_at: string
}

/** What kind of change it is. */
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

/** Where a change stands. */
export type ChangeStatus = Open<'announced' | 'in_effect' | 'withdrawn'>

/** A product one could move to. */
export interface ChangeAlternative {
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
  /** When the alternative was published, a timestamp in UTC. */
  created_at: string
}

/**
 * A published change. With `access` `summary` the details are withheld: `diff_*`, `impact_*` other than `impact_score`
 * and `migration_deadline` are left out or null, and `alternatives` is empty.
 */
export interface Change {
  id: string
  /** Who made the model; `unknown` when nobody can tell. */
  vendor: string
  /** The canonical product id, or the `resource_id` of a record that is not linked to a product. */
  product: string
  /** The modality of the product; `other` when its record has none. */
  modality: Modality
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
  /** Until when users must have moved: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. */
  migration_deadline?: string | null | undefined
  /** From when the change holds: a plain date (`YYYY-MM-DD`) or a timestamp in UTC. */
  effective_time?: string | null | undefined
  /** When the change was first noticed, a timestamp in UTC. */
  first_seen: string
  /** When the change was last noticed, a timestamp in UTC. */
  last_seen: string
  /** Whether somebody has checked the change against its source; null when nobody has said. */
  verified?: boolean | null | undefined
  /** When it was checked, a timestamp in UTC. */
  verified_at?: string | null | undefined
  status?: ChangeStatus | null | undefined
  /** Reserved. Ratecard never sends it. */
  view_count?: number | null | undefined
  /** When the change was published, a timestamp in UTC. */
  created_at: string
  /** When a value of the published change last moved: a timestamp in UTC with six decimals, comparable as text. */
  updated_at: string
  /** What one could move to, the best first. */
  alternatives: ChangeAlternative[]
  /** Whether the change is given in full or in summary. */
  access: Open<'summary' | 'full'>
}

/** An event kind, or `*` for all of them, those added in future too. */
export type WebhookEvent = 'change.alert' | '*'

/** A webhook subscription. Its secret is never returned. */
export interface Webhook {
  id: string
  /** Where alerts are sent. */
  url: string
  /** Which events are sent. */
  events: Open<WebhookEvent>[]
  /** Whether alerts are sent. To start a stopped one again, delete it and create it anew. */
  active: boolean
  /** Whether a signing secret is stored. */
  has_secret: boolean
  /** The HTTP status of the latest attempt; null when there was none, no answer came, or what was answered is no HTTP status. */
  last_status?: number | null | undefined
  /** What went wrong with the latest attempt and what to do about it; null after a success. */
  last_error?: string | null | undefined
  /** When the subscription was created, a timestamp in UTC. */
  created_at: string
  /** When the subscription last moved, a timestamp in UTC. */
  updated_at: string
}

/** Says that something was deleted. */
export interface DeletedResult {
  success: true
}

/** The daily quota of the key. Requests paid by a top-up pack are not in it. */
export interface DailyQuota {
  /** Requests per UTC day of the plan. */
  limit: number
  /** What this key has taken of it today. More than `limit` after a downgrade. */
  used: number
  /** What is left of it today, never below 0. */
  remaining: number
  /** When it starts again: the next UTC midnight, a timestamp. */
  reset_at: string
}

/** Metered requests of this key today by endpoint. Other endpoints may be added. */
export interface EndpointCounts {
  prices: number
  changes: number
  webhooks: number
  [endpoint: string]: number
}

/** A top-up pack that is neither empty nor expired. */
export interface TopupPack {
  id: string
  /** Requests left in it. */
  remaining: number
  /** When what is left lapses, a timestamp in UTC. */
  expires_at: string
}

/** The top-up packs of the account. */
export interface TopupBalance {
  /** Requests left in all packs together. */
  remaining: number
  /** The packs in the order in which they are used. */
  packs: TopupPack[]
  /** Where to buy a pack. */
  purchase_url: string
}

/** Where a key and its account stand. */
export interface Usage {
  schema_version?: 1 | undefined
  /** `developer` with any current paid subscription, else `api_free`. */
  plan: Open<'api_free' | 'developer'>
  /** The UTC day the numbers are of, `YYYY-MM-DD`. */
  day: string
  daily_quota: DailyQuota
  endpoints: EndpointCounts
  /** The sum of `endpoints`. */
  metered_total?: number | undefined
  topup: TopupBalance
}

/** A sign of life. */
export interface Health {
  status: Open<'ok'>
  /** The clock of the service, a timestamp in UTC. */
  timestamp: string
}

/** What went wrong, for programs. */
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
