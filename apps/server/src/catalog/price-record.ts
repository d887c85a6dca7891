/** What a price is charged for. Open sources know no other kinds; null where a source does not state it. */
export const modalities = [
  'llm',
  'embedding',
  'image',
  'audio',
  'video',
  'rerank',
  'moderation',
  'ocr',
  'search',
  'other',
] as const
export type Modality = (typeof modalities)[number]

/** A non-negative decimal number as plain text without exponent or trailing zeros, such as `0.2`. */
export type DecimalText = string

/**
 * One price as a source states it, normalised and ready to compare or store. Field names are the contract's;
 * unknown is null, never 0. Amounts are exact: at most 12 significant digits and 9 decimals.
 */
export interface PriceRecord {
  /** `platform[:region]:<the platform's own id>`, case-sensitive. */
  resource_id: string
  /** `vendor/model` when the record is linked to a canonical product. */
  product_id: string | null
  /** The maker of the model. */
  vendor: string
  /** The platform that charges the price. */
  platform: string | null
  modality: Modality | null
  region: string | null
  /** The unit of the headline price, such as `1m_tokens` or `minute`. */
  unit: string | null
  input_per_mtok: DecimalText | null
  output_per_mtok: DecimalText | null
  cached_input_per_mtok: DecimalText | null
  image_per_unit: DecimalText | null
  audio_per_min: DecimalText | null
  video_per_sec: DecimalText | null
  currency: string | null
  source_url: string | null
  /** The first day or instant of the price by its source, as the source writes it (`YYYY-MM-DD` stays so). */
  effective_at: string | null
}

/** A row of a source that is not served, or not completely, with a reason that tells an operator what to do. */
export interface RejectedRow {
  /** The row's key in the source. */
  id: string
  reason: string
}

/** A field of a source's rows that looks like a price and is not read. */
export interface UnknownField {
  /** Its path in a row: `cost.tiers[].input`. */
  field: string
  /** The number of rows that have it. */
  rows: number
  example: { id: string; value: string }
}

/** The columns that hold amounts, in the order of the contract. */
export const amountColumns = [
  'input_per_mtok',
  'output_per_mtok',
  'cached_input_per_mtok',
  'image_per_unit',
  'audio_per_min',
  'video_per_sec',
] as const
export type AmountColumn = (typeof amountColumns)[number]

/** The columns of a record that are served, `updated_at` aside. A record moves when one of them moves. */
export const servedColumns = [
  'resource_id',
  'product_id',
  'vendor',
  'platform',
  'modality',
  'region',
  'unit',
  ...amountColumns,
  'currency',
  'source_url',
  'effective_at',
] as const
