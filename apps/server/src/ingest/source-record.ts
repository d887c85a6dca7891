import type { ModelFacts } from '../catalog/model-facts.ts'
import type {
  AmountColumn,
  DecimalText,
  PriceRecord,
  RejectedRow,
  UnknownField,
} from '../catalog/price-record.ts'
import type { Rate } from '../catalog/rate-card.ts'

export type { UnknownField } from '../catalog/price-record.ts'

export type Amounts = Record<AmountColumn, DecimalText | null>

export const noAmounts: Amounts = {
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
}

/**
 * One row of a source, normalised: the price as it would be served, and other facts that the source states. Its
 * `product_id` is the product that the source itself names.
 */
export interface SourceRecord extends PriceRecord {
  /** The row's key in the source. */
  source_key: string
  /** The model's name without platform, region and maker, in lower case. Linking searches the product by it. */
  model_name: string
  /** Whether the source itself states maker and model; else they are read from the id. */
  is_named: boolean
  /** Rates that fit no column, in the order of `sortRates`. */
  rates: Rate[]
  /** The day on which the model is retired, `YYYY-MM-DD`. */
  retires_on: string | null
  /** Prices that begin on later days, the soonest first. */
  scheduled: ScheduledPrice[]
  /**
   * The day on which the source says that it checked the price, `YYYY-MM-DD`. Absent where it says nothing, so that a
   * claim of before there was this field is the same claim when it is read again.
   */
  checked_on?: string | null
  /**
   * The row confirms or denies what other sources state and is never served by itself: its id was found from a name by a
   * table of ours, or it states no amount. Absent: the row is a price of its own.
   */
  is_witness?: true
  /** Prices of before, by the day on which each ended, the oldest first. Absent where the source dates none. */
  past?: PastPrice[]
  /** The id that the seller names in its place, for a model that is retired. Absent where the source names none. */
  replaced_by?: string | null
  /** What the row states of the model beside its price. Absent where it states nothing that is read. */
  facts?: ModelFacts
}

/** No quote is longer, in characters. */
export const quoteLengthMax = 300

/** Where in a document a row's amounts stand: what anybody can check. */
export interface Quote {
  /** The amount columns (`input_per_mtok`), rates (as `rateKey` names them) and fields (`retires_on`) that it states. */
  of: readonly string[]
  /** The row of the document, verbatim; at most `quoteLengthMax` characters. */
  text: string
  /** The bytes of the document that hold it, UTF-8: the first, and the one after the last. */
  from: number
  to: number
}

/** Amounts and rates that held until a day, which is the first of the next ones, `YYYY-MM-DD`. */
export interface PastPrice extends Amounts {
  ended_on: string
  rates: Rate[]
}

export interface ScheduledPrice {
  /** The first day of the price, UTC, `YYYY-MM-DD`. */
  starts_on: string
  amounts: Amounts
}

/** One complete reading of a source. Every row of the source is in exactly one of the first two lists. */
export interface SourceReading {
  records: SourceRecord[]
  rejected: RejectedRow[]
  /** Rows among the records of which a part is left out, and why. */
  mended: RejectedRow[]
  /** The source's name for its state, such as the version of a package; null: it gives none. */
  version: string | null
  /** The newest day that the data itself states, not later than the run, `YYYY-MM-DD`; null: it states none. */
  data_at: string | null
  /** Fields that hold prices and that the importer does not know. */
  unknown_fields: UnknownField[]
  /** What the document says in its own words, by resource key. Absent: the source is a data file. */
  quotes?: ReadonlyMap<string, readonly Quote[]>
}
