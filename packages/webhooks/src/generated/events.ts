// Made from openapi.yaml by scripts/events.ts. Do not edit: change openapi.yaml and run `pnpm generate`.

/**
 * What kind of change it is. An open list; in use are `price_cut`, `price_rise`, `model_added`, `model_removed`,
 * `deprecation`, `tier_change`, `correction`, `metadata` and `incident`.
 */
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

/** A change in short. */
export interface AlertedChange {
  /** The `id` of the change. De-duplicate by it. */
  id: string
  /** Who made the model. */
  vendor: string
  /** The canonical product id, or the `resource_id` of a record that is not linked to a product. */
  product: string
  /** What kind of change it is; an open list, see `Change`. */
  category: ChangeCategory
  /** The change in one line. */
  title: string
  /** The change in a few sentences. */
  summary: string
  /** How much it matters, from 1 (little) to 5 (very much). */
  severity: number
  /** A page about the change. */
  url: string
}

/** The body of a delivery. Ignore fields you do not know. */
export interface ChangeAlert {
  /** The event kind of a delivery. */
  event: 'change.alert'
  /**
   * The time of this attempt. Each attempt has its own, and its own signature. An instant in UTC, with six decimals
   * and `Z`. Sorts as text.
   */
  timestamp: string
  /** The published changes, 1 to 100, in the order of their publication. */
  changes: AlertedChange[]
}

/** The content of a delivery. `event` distinguishes the kinds. */
export type RatecardWebhookEvent = ChangeAlert

export const eventNames: readonly string[] = ["change.alert"]
