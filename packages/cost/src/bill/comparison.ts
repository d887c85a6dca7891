import type { Decimal } from '../types.ts'

// What a comparison answers.

/** Why a bill is not what the log comes to. */
export type CauseKind =
  /** Another service tier was billed than the log says. */
  | 'tier'
  /** Reads from or writes to a cache were billed in another way than the log says. */
  | 'cache'
  /** Fees of searches and other tools. */
  | 'tools'
  /** A region with an uplift. */
  | 'region'
  /** Requests are billed that the log does not have. */
  | 'missing_in_log'
  /** Requests of the log are not on the bill. */
  | 'missing_on_bill'
  /** The calls of a day are on the bill of the next one, or of the one before. */
  | 'other_day'
  /** The price of another time was billed. */
  | 'price_change'
  /** No more than the bill rounds away. */
  | 'rounding'
  /** A line of the bill that is no documented one. */
  | 'unknown_line_item'

/** A cause that explains a difference, to the last digit of the bill. */
export interface Cause {
  readonly kind: CauseKind
  /** In words. */
  readonly says: string
  readonly amount: Decimal
}

/** A model on a day: what the bill says, and what the log comes to. */
export interface BillRow {
  readonly day: string
  /** As the bill spells it; null: no model's. */
  readonly model: string | null
  /** A tool, or the text of a line item, where it is no model's. */
  readonly item: string | null
  readonly billed: Decimal
  readonly computed: Decimal
  /** Some calls have no price: `computed` is the sum of the others. */
  readonly isWhole: boolean
  /** Billed less computed. */
  readonly difference: Decimal
  readonly calls: number
  readonly state: 'equal' | 'explained' | 'unexplained'
  /** What explains the difference exactly and alone. Of several together each has its part. */
  readonly causes: readonly Cause[]
  /** What would explain it as well, or nearly: none is chosen. */
  readonly wouldFit: readonly string[]
  /** Why calls have no price. */
  readonly unpriced: readonly string[]
}

/** A bill beside a log. */
export interface BillComparison {
  readonly vendor: 'openai' | 'anthropic'
  readonly form: 'costs' | 'usage'
  /** A currency; `count`: the bill says how much was used, not what it costs. */
  readonly unit: string
  readonly firstDay: string
  readonly lastDay: string
  readonly isEqual: boolean
  readonly billed: Decimal
  readonly computed: Decimal
  readonly difference: Decimal
  /** The part of the difference that no cause explains. */
  readonly unexplained: Decimal
  readonly rows: readonly BillRow[]
  readonly calls: number
  /** Calls of the log that were paid elsewhere, on other days than those of the bill, or in a way that it leaves out. */
  readonly left: { readonly elsewhere: number; readonly otherDays: number; readonly notReported: number }
  /** Columns and fields of the bill that are not documented: nothing was read from them. */
  readonly unread: readonly string[]
}
