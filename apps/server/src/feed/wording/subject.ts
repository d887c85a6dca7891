import { amountColumns, servedColumns, type PriceRecord } from '../../features/prices/price-record.ts'
import type { ChangeDraft, MovedRow } from '../change-draft.ts'
import { columnNames, columnUnits } from './moves.ts'
import { listText } from './text.ts'

const platformsMax = 3

export function latestRecord({ before, after }: MovedRow): PriceRecord[] {
  const state = after ?? before
  return state ? [state.record] : []
}

/** The common name of the product: without its maker, or without the platform of its id. */
export function nameOf({ product, rows }: Pick<ChangeDraft, 'product' | 'rows'>): string {
  const [record] = rows.flatMap(latestRecord)
  if (record?.product_id === product) return modelOf(product)
  const location = [record?.platform, record?.region].filter((part) => part != null).join(':')
  return (product.startsWith(`${location}:`) && product.slice(location.length + 1)) || product
}

/** `model` of `vendor/model`. */
export function modelOf(product: string): string {
  return product.slice(product.indexOf('/') + 1)
}

/** ` on openai and azure`, ` on bedrock (eu)`; nothing where no platform is known. */
export function locationText(rows: readonly MovedRow[], preposition = 'on'): string {
  const records = rows.flatMap(latestRecord)
  const platforms = [...new Set(records.flatMap(({ platform }) => platform ?? []))].sort()
  if (platforms.length === 0) return ''
  const [region] = records.flatMap((record) => (records.length === 1 ? (record.region ?? []) : []))
  return ` ${preposition} ${listText(platforms, platformsMax)}${region === undefined ? '' : ` (${region})`}`
}

/** `input 2, output 8 USD per 1M tokens`, or that no price is stated. */
export function priceText(record: PriceRecord): string {
  const amounts = amountColumns.filter((column) => record[column] !== null)
  const units = [...new Set(amounts.map((column) => columnUnits[column]))]
  const perUnit = units.map((unit) => {
    const ofUnit = amounts.filter((column) => columnUnits[column] === unit)
    const texts = ofUnit.map((column) => `${columnNames[column]} ${record[column]}`)
    return `${texts.join(', ')}${record.currency === null ? '' : ` ${record.currency}`} per ${unit}`
  })
  return perUnit.join('; ') || 'price not stated'
}

const fieldNames = {
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
