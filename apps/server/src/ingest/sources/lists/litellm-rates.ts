import { readDecimal, type AmountReader } from '../../../catalog/decimal.ts'
import { amountColumns } from '../../../catalog/price-record.ts'
import type { Rate } from '../../../catalog/rate-card.ts'
import type { Amounts } from '../../source-record.ts'
import type { Columns } from './litellm-columns.ts'
import { isPriceField, parseField } from './litellm-fields.ts'
import { parseRange, listTiers, type Fields, type Row } from './litellm-row.ts'
import { toRate } from '../reading/reading.ts'

type Read = AmountReader['read']

/** A price field of a row or of one of its tiers, and the rate that it states. */
interface StatedRate {
  field: string
  value: unknown
  rate: Rate
}

/** Every price that the row states and no column holds. A 0 beside other prices only fills its field. */
export function readRates(row: Row, columns: Columns, amounts: Amounts, read: Read): Rate[] {
  const stated = [...statedRates(row, read), ...listTiers(row).flatMap((tier) => statedRates(tier, read))]
  const isFiller = ({ rate }: StatedRate) => rate.amount === '0' && stated.length > 1
  const besideColumns = stated.filter((one) => !isInColumn(one, columns, amounts) && !isFiller(one))
  return [...besideColumns.map(({ rate }) => rate), ...readMultipliers(row, read)]
}

function isInColumn({ field, value, rate }: StatedRate, columns: Columns, amounts: Amounts): boolean {
  if (rate.threshold !== null || rate.variant !== null) return false
  return amountColumns.some((column) => {
    const { fields, scale } = columns[column]
    if (!fields.includes(field)) return false
    const inColumn = readDecimal(value as number | string, scale)
    return rate.amount === '0' || ('amount' in inColumn && inColumn.amount === amounts[column])
  })
}

function statedRates(fields: Fields, read: Read): StatedRate[] {
  const tier = parseTier(fields)
  return Object.entries(fields)
    .filter(([field]) => isPriceField(field))
    .flatMap(([field, value]) => {
      const { scale, ...meaning } = parseField(field)
      return readValues(value).flatMap(([kind, stated]) => {
        const amount = read(field, stated, scale)
        if (amount === null) return []
        const variant = kind ?? tier.variant ?? meaning.variant
        const threshold = tier.threshold ?? meaning.threshold
        return [{ field, value: stated, rate: { ...meaning, amount, variant, threshold } }]
      })
    })
}

/** One number, or one for each kind: `search_context_cost_per_query` has three sizes. Other values are not prices. */
function readValues(value: unknown): [kind: string | null, stated: number | string][] {
  if (
    typeof value === 'number' ||
    (typeof value === 'string' && /\d/.test(value) && Number.isFinite(Number(value)))
  )
    return [[null, value]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([kind, inner]) =>
    typeof inner === 'number' ? [[kind.replace(/^search_context_size_/, ''), inner]] : [],
  )
}

/** The requests of a tier: those above its start, or those that its other range names. */
function parseTier(fields: Fields): { threshold: number | null; variant: string | null } {
  const range = parseRange(fields)
  if (range === null) return { threshold: null, variant: null }
  if (range.of !== '' || !Number.isSafeInteger(range.from))
    return { threshold: null, variant: `${range.of || 'input_tokens'}:${range.from}-${range.to}` }
  return { threshold: range.from > 0 ? range.from : null, variant: null }
}

/** The factor of every price of the row, in a region (`us`) or a mode of service (`fast`). */
function readMultipliers(row: Row, read: Read): Rate[] {
  const uplift = /^regional_processing_uplift_multiplier_(\w+)$/
  const regional = Object.entries(row).flatMap(([field, value]) => {
    const region = uplift.exec(field)?.[1]
    return region === undefined ? [] : [[region, value] as const]
  })
  return [...regional, ...Object.entries(row.provider_specific_entry ?? {})].flatMap(([variant, value]) => {
    const amount = typeof value === 'number' ? read(variant, value) : null
    return amount === null ? [] : [toRate('price_multiplier', 'multiplier', amount, { variant })]
  })
}
