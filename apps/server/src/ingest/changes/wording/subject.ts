import { formatAmountUnit, nameAmount } from '@ratecard/contract/wording'
import { amountColumns, servedColumns, type PriceRecord } from '../../../catalog/price-record.ts'
import type { MovedRow } from '../change-draft.ts'

export function latestRecord({ before, after }: MovedRow): PriceRecord[] {
  const state = after ?? before
  return state ? [state.record] : []
}

/** `model` of `vendor/model`. */
export function stripVendor(product: string): string {
  return product.slice(product.indexOf('/') + 1)
}

/** `input 2, output 8 USD per 1M tokens`, or that no price is stated. */
export function priceText(record: PriceRecord): string {
  const amounts = amountColumns.filter((column) => record[column] !== null)
  const units = [...new Set(amounts.map((column) => formatAmountUnit(column)))]
  const perUnit = units.map((unit) => {
    const ofUnit = amounts.filter((column) => formatAmountUnit(column) === unit)
    const texts = ofUnit.map((column) => `${nameAmount(column).toLowerCase()} ${record[column]}`)
    return `${texts.join(', ')}${record.currency === null ? '' : ` ${record.currency}`} ${unit}`
  })
  return perUnit.join('; ') || 'price not stated'
}

const fieldNames = {
  resource_id: 'id',
  product_id: 'product',
  vendor: 'vendor',
  platform: 'platform',
  modality: 'modality',
  region: 'region',
  unit: 'unit',
  currency: 'currency',
  source_url: 'link to the source',
  effective_at: 'date of the price',
} as const
type NamedField = keyof typeof fieldNames

/** The fields other than amounts that differ from before. */
export function changedFields({ before, after }: MovedRow): { name: string; was: string; is: string }[] {
  if (!before || !after) return []
  return servedColumns.flatMap((column) => {
    if (!Object.hasOwn(fieldNames, column)) return []
    const field = column as NamedField
    const [was, is] = [before.record[field], after.record[field]]
    return was === is ? [] : [{ name: fieldNames[field], was: was ?? 'none', is: is ?? 'none' }]
  })
}
