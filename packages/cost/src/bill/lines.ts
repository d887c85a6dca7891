// What readers of bills make, whoever wrote them.

/** One line of a bill. What the bill does not say is null. */
export interface BillLine {
  /** The day in UTC: OpenAI and Anthropic bill by it. */
  readonly day: string
  /** As the vendor spells it; null: no model's, or the bill does not say. */
  readonly model: string | null
  /** A meter as rate cards name it; null: the line is a total of the day, or is not understood. */
  readonly meter: string | null
  /** `1h` of writes to a cache. */
  readonly variant: string | null
  readonly tier: string | null
  readonly isLong: boolean
  readonly region: string | null
  /** In the bill's currency, or a number where usage is reported; times 10^18. */
  readonly amount: bigint
  /** How many, where a bill of money says that too. */
  readonly quantity: bigint | null
  /** As the vendor writes it. */
  readonly label: string
  /** It is none that is documented. */
  readonly isUnknown: boolean
}

/** What a vendor reports: money, or how much was used. */
export interface Bill {
  readonly vendor: 'openai' | 'anthropic'
  readonly form: 'costs' | 'usage'
  /** What amounts are in: a currency, or `count`. */
  readonly unit: string
  /** Half of the last digit that the bill writes, times 10^18. */
  readonly halfDigit: bigint
  readonly firstDay: string
  readonly lastDay: string
  readonly lines: readonly BillLine[]
  /** What lines are told apart by. A bill of totals says neither model nor meter. */
  readonly states: {
    readonly lines: boolean
    readonly tiers: ReadonlySet<string>
    readonly length: boolean
    readonly region: boolean
  }
  /** How many requests, by day and model, where it says that. */
  readonly requests: ReadonlyMap<string, number>
  /** Columns and fields that are not read. */
  readonly unread: readonly string[]
}

/** A bill while it is read. */
export interface Draft {
  lines: BillLine[]
  days: Set<string>
  decimals: number
  unit: string | null
  tiers: Set<string>
  length: boolean
  region: boolean
  requests: Map<string, number>
  unread: Set<string>
}

export const nothing = {
  model: null,
  meter: null,
  variant: null,
  tier: null,
  isLong: false,
  region: null,
  quantity: null,
  isUnknown: false,
} satisfies Partial<BillLine>
