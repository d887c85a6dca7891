import type { ChangeCategory, Modality, WebhookEvent } from './models.ts'

/** Which price records, and where to begin. All filters are exact, case-sensitive and combined with "and". */
export interface PriceListParams {
  /** Who made the model, for example `openai`. */
  vendor?: string | undefined
  /** The canonical product id, for example `openai/gpt-4o-mini`. */
  product?: string | undefined
  /** Where one pays, for example `openrouter`. */
  platform?: string | undefined
  /** What kind of model it is. */
  modality?: Modality | undefined
  /** Only records whose `updated_at` is this instant or later: a Date, or an RFC 3339 instant with an offset. */
  since?: Date | string | undefined
  /** Where to begin: the `nextCursor` of a page, or the `cursor` of an error, with the same filters. */
  cursor?: string | undefined
  /**
   * Rows per page, 1 to 500. When left out, walks ask for 500 and the first page alone has 100. It does not end a walk:
   * see `toArray` for that.
   */
  limit?: number | undefined
}

/** Which changes, and where to begin. All filters are exact, case-sensitive and combined with "and". */
export interface ChangeListParams {
  /** Who made the model, for example `openai`. */
  vendor?: string | undefined
  /** The canonical product id, for example `openai/gpt-4o-mini`. */
  product?: string | undefined
  /** What kind of change. `incident` lists operational incidents, which are left out otherwise. */
  category?: ChangeCategory | undefined
  /** Whether to list operational incidents among the others; without effect together with `category`. False when left out. */
  includeIncidents?: boolean | undefined
  /** Only changes of at least this severity, 1 to 5. */
  minSeverity?: number | undefined
  /** Only changes whose `updated_at` is this instant or later: a Date, or an RFC 3339 instant with an offset. */
  since?: Date | string | undefined
  /** Where to begin: the `nextCursor` of a page, or the `cursor` of an error, with the same filters. */
  cursor?: string | undefined
  /**
   * Rows per page, 1 to 500. When left out, walks ask for 500 and the first page alone has 100. It does not end a walk:
   * see `toArray` for that.
   */
  limit?: number | undefined
}

/** A webhook subscription to create. */
export interface WebhookCreateParams {
  /** Where to send alerts: a public `https://` address of at most 2,048 characters, without user info and fragment. */
  url: string
  /** The key that signs each delivery: 16 to 512 characters, chosen at random. It is never returned. */
  secret: string
  /** Which events to send; `['change.alert']` when left out. */
  events?: readonly WebhookEvent[] | undefined
}
