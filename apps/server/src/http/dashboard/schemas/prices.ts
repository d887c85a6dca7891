import { z } from 'zod'
import { rules } from '../../../features/prices/price-rule.ts'
import { AmountField, AmountNumber, AmountNumbers, Amounts, eachAmount } from './amounts.ts'
import { OptionalTimestamp, ResourceId, Timestamp } from './common.ts'

/** That some requests pay more: at other hours (`off_peak`) or for another reason, such as a long prompt (`from`); null: none does, as far as is known. */
export const PriceMark = z.enum(['from', 'off_peak']).nullable()

/** No source has the price any more (`gone`), a move of it is not believed yet (`held`), a source states another amount (`disputed`), one origin alone states it, or two do; null: nothing is recorded. */
export const PriceStanding = z.enum(['gone', 'held', 'disputed', 'one_source', 'confirmed']).nullable()

const recordsMax = 200_000
const column = <Value extends z.ZodType>(values: Value) => z.array(values).max(recordsMax)

/** Every price record, a list per field. The same place in each list is one record; fields mean what they mean in `GET /v1/prices`. */
export const PriceColumns = z.strictObject({
  resource_id: column(z.string()),
  product_id: column(z.string().nullable()),
  vendor: column(z.string()),
  platform: column(z.string().nullable()),
  modality: column(z.string().nullable()),
  region: column(z.string().nullable()),
  unit: column(z.string().nullable()),
  ...eachAmount(column(AmountNumber)),
  currency: column(z.string().nullable()),
  source_url: column(z.string().nullable()),
  effective_at: column(z.string()),
  updated_at: column(z.string()),
  /** How many states of the record `getPriceHistory` tells. */
  versions: column(z.int().min(0).max(1000000)),
  /** How many rates fit no column. `getPriceRecord` has them. */
  rates: column(z.int().min(0).max(100000)),
  input_mark: column(PriceMark),
  output_mark: column(PriceMark),
  /** The first day of the next price that is announced; null: none is. */
  starts_on: column(
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .nullable(),
  ),
  /** What stands behind the price, the most doubtful first. */
  standing: column(PriceStanding),
})

export const PriceTable = z.strictObject({
  version: z.string(),
  count: z.int().min(0).max(recordsMax),
  /** The records, newest `updated_at` first. */
  columns: PriceColumns,
})

export const PriceVersion = AmountNumbers.extend({
  /** From when on it is known, by the clock of the run that stated it. */
  since: Timestamp,
  /** From when on the price holds, by the day of its source or of a published change; else as `since`. */
  valid_from: Timestamp,
  /** Whether the source or a published change dates the price, or it is known only since when it was seen first. */
  valid_from_by: z.enum(['source', 'change', 'first_seen']),
  source: z.string(),
  /** The fields that differ from the state before; none in the first. */
  moved: z.array(z.string()),
})

export const PriceHistory = z.strictObject({
  resource_id: ResourceId,
  versions: z.array(PriceVersion).min(1),
})

export const HoldReason = z.enum([
  'large',
  'factor',
  'to_zero',
  'from_zero',
  'swapped',
  'vanished',
  'bulk',
  'denied',
  'range',
  'incoherent',
  'outlier',
  'copied',
  'flood',
  'half_row',
  'card',
])

export const PriceRule = z.enum(rules)

/** An amount that no column of a price holds. All fields but the amount say what it is for. */
export const PriceRate = z.strictObject({
  /** What is counted, in the plural. */
  meter: z.string(),
  unit: z.string(),
  amount: z.string().regex(/^\d+(\.\d+)?$/),
  /** Such as `batch`; null: the standard tier. */
  service_tier: z.string().nullable(),
  /** Which kind, where a meter has several; null: it has one. */
  variant: z.string().nullable(),
  /** Input tokens above which it applies to the whole request; null: from the first. */
  threshold: z.number().min(0).nullable(),
  /** Its hours of the day, in UTC; null: all day. */
  hours: z.string().nullable(),
  /** The sources that state it; null: nothing is recorded. */
  said_by: z.array(z.string()).nullable(),
  /** What other sources state; null: nothing is recorded. */
  denied_by: z.record(z.string(), z.string()).nullable(),
})

export const AnnouncedPrice = z.strictObject({
  starts_on: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  source: z.string(),
  learned_at: Timestamp,
  /** The amounts from then on; null: not stated. */
  amounts: Amounts,
})

export const WholePrice = z.strictObject({
  resource_id: ResourceId,
  product_id: z.string().nullable(),
  vendor: z.string(),
  platform: z.string().nullable(),
  region: z.string().nullable(),
  modality: z.string().nullable(),
  unit: z.string().nullable(),
  currency: z.string().nullable(),
  /** The amounts, exactly; null: unknown. */
  amounts: Amounts,
  /** Two or more independent origins state the same input and output, and no more deny them; null: neither is served, or nothing is recorded. */
  is_confirmed: z.boolean().nullable(),
  /** The one rule that chose it; null: nothing is recorded. */
  rule: PriceRule.nullable(),
  rule_text: z.string().nullable(),
  /** How many sources state otherwise, of a price that might be another before long; null: it is not in doubt. */
  doubt: z.string().nullable(),
  gone_since: OptionalTimestamp,
  retires_on: z.string().nullable(),
  rates: z.array(PriceRate),
  /** What is announced, the next first. */
  announced: z.array(AnnouncedPrice),
})

export const StatedAmount = z.strictObject({
  field: AmountField,
  amount: z.string(),
  /** Since when it states this amount; null: it has not moved since it was first seen. */
  since: OptionalTimestamp,
  is_served: z.boolean(),
})

/** What a seller's own document says, and how to find it there. */
const QuotedDocument = z.strictObject({
  url: z.string().nullable(),
  sha256: z.string(),
  read_at: Timestamp,
  quotes: z.array(
    z.strictObject({
      of: z.array(z.string()),
      text: z.string().nullable(),
      from: z.int().min(0),
      to: z.int().min(0),
    }),
  ),
})

export const PriceClaim = z.strictObject({
  source: z.string(),
  leads: z.boolean(),
  key: z.string(),
  url: z.string().nullable(),
  /** Of the amounts that it states. */
  currency: z.string().nullable(),
  stated: z.array(StatedAmount),
  first_seen: Timestamp,
  gone_since: OptionalTimestamp,
  /** Null: the source is a data file. */
  document: QuotedDocument.nullable(),
  /** The newest day that its data states; null: it states none. */
  data_at: z.string().nullable(),
  read_at: OptionalTimestamp,
})

/** A move that is not believed yet. What is served stays until then. */
export const PriceHold = z.strictObject({
  source: z.string(),
  reason: HoldReason,
  first_seen: Timestamp,
  before: Amounts,
  after: Amounts,
})

/** Everything that is stored about a record, its history aside. */
export const PriceRecord = WholePrice.extend({
  /** The path of its public page. */
  page: z.string(),
  claims: z.array(PriceClaim),
  holds: z.array(PriceHold),
})

export const ModelPrices = z.strictObject({
  model: ResourceId,
  /** Its prices, in the order of their ids. */
  prices: z.array(WholePrice).min(1).max(150),
})

/** `litellm` is the map that LiteLLM reads. */
export const PriceFileFormat = z.enum(['json', 'jsonl', 'csv', 'sqlite'])
