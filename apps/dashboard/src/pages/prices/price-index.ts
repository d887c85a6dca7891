import type { Schemas } from '../../../contract/index.ts'
import { distanceOf, searchTextOf, wordsOf } from './search.ts'

export type Columns = Schemas['PriceColumns']
export type PriceRecord = { [Field in keyof Columns]: Columns[Field][number] }

export function recordAt(columns: Columns, rowIndex: number): PriceRecord {
  const fields = Object.entries(columns).map(([field, values]) => [field, values[rowIndex]])
  return Object.fromEntries(fields) as PriceRecord
}

export const filterNames = ['vendor', 'product', 'platform', 'modality'] as const
type FilterName = (typeof filterNames)[number]

/** The API's filters, exact and combined with "and"; null: any. And words that the record must contain. */
export type PriceFilter = Record<FilterName, string | null> & { search: string }

/** What the columns of the page are sorted by. */
const sortValues = {
  record: ({ resource_id }) => resource_id.map((id) => id.toLowerCase()),
  vendor: ({ vendor }) => vendor,
  platform: ({ platform }) => platform,
  modality: ({ modality }) => modality,
  input: ({ input_per_mtok }) => input_per_mtok,
  output: ({ output_per_mtok }) => output_per_mtok,
  cached: ({ cached_input_per_mtok }) => cached_input_per_mtok,
  other: ({ image_per_unit, audio_per_min, video_per_sec }) =>
    image_per_unit.map((amount, row) => amount ?? audio_per_min[row] ?? video_per_sec[row] ?? null),
  updated: ({ updated_at }) => updated_at,
} satisfies Record<string, (columns: Columns) => readonly (string | number | null)[]>
export type SortColumn = keyof typeof sortValues

export function isSortColumn(name: string): name is SortColumn {
  return Object.hasOwn(sortValues, name)
}

export interface Sort {
  column: SortColumn
  isDescending: boolean
}

export const newestFirst: Sort = { column: 'updated', isDescending: true }

/** Indexes of records in the columns. */
export type RowIndexes = Uint32Array

/** Price records in memory, prepared to be searched at every key press. */
export class PriceIndex {
  readonly columns: Columns
  readonly count: number
  readonly vendors: string[]
  readonly platforms: string[]
  readonly modalities: string[]
  readonly products: string[]
  readonly #texts: string[]
  readonly #orders = new Map<string, RowIndexes>()

  constructor({ columns, count }: Schemas['PriceTable']) {
    this.columns = columns
    this.count = count
    this.vendors = distinct(columns.vendor)
    this.platforms = distinct(columns.platform)
    this.modalities = distinct(columns.modality)
    this.products = distinct(columns.product_id)
    const { resource_id, product_id, vendor, platform } = columns
    this.#texts = resource_id.map((id, rowIndex) =>
      searchTextOf([id, product_id[rowIndex], vendor[rowIndex], platform[rowIndex]]),
    )
  }

  /**
   * The records that match, in order.
   * @param sort null: what answers the search best comes first; without a search, what moved last
   */
  find(filter: PriceFilter, sort: Sort | null): RowIndexes {
    const { vendor, product_id, platform, modality } = this.columns
    const words = wordsOf(filter.search)
    const found = this.#inOrder(sort ?? newestFirst).filter(
      (rowIndex) =>
        (filter.vendor === null || vendor[rowIndex] === filter.vendor) &&
        (filter.product === null || product_id[rowIndex] === filter.product) &&
        (filter.platform === null || platform[rowIndex] === filter.platform) &&
        (filter.modality === null || modality[rowIndex] === filter.modality) &&
        words.every((word) => this.#texts[rowIndex]!.includes(word)),
    )
    return sort === null && words.length > 0 ? this.#byDistance(found, words) : found
  }

  #byDistance(found: RowIndexes, words: readonly string[]): RowIndexes {
    const { resource_id, platform, vendor } = this.columns
    const distances = new Map(
      [...found].map((row) => {
        const record = { resource_id: resource_id[row]!, platform: platform[row]!, vendor: vendor[row]! }
        return [row, distanceOf(record, words)]
      }),
    )
    return found.sort((a, b) => distances.get(a)! - distances.get(b)!)
  }

  rowIndexOf(resourceId: string): number | null {
    const rowIndex = this.columns.resource_id.indexOf(resourceId)
    return rowIndex === -1 ? null : rowIndex
  }

  /** Every record in order. Sorted once for all filters. */
  #inOrder({ column, isDescending }: Sort): RowIndexes {
    const key = `${column} ${isDescending}`
    const known = this.#orders.get(key)
    if (known) return known
    const order = sorted(sortValues[column](this.columns), isDescending)
    this.#orders.set(key, order)
    return order
  }
}

/** Unknown values come last in both directions. Equal values keep their order: the newest first. */
function sorted(values: readonly (string | number | null)[], isDescending: boolean): RowIndexes {
  const sign = isDescending ? -1 : 1
  return Uint32Array.from(values.keys()).sort((a, b) => {
    const left = values[a]!
    const right = values[b]!
    if (left === right) return a - b
    if (left === null) return 1
    if (right === null) return -1
    return left < right ? -sign : sign
  })
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null).sort()
}
