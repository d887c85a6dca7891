import { companyName, modelName, recordName } from '@ratecard/contract/model-name'
import { nearSearch, rankOf, searchesOf, searchTextOf, type Searched } from '@ratecard/contract/model-search'
import type { Schemas } from '../../../contract/index.ts'

export type Columns = Schemas['PriceColumns']
export type PriceRecord = { [Field in keyof Columns]: Columns[Field][number] }

export function recordAt(columns: Columns, rowIndex: number): PriceRecord {
  const fields = Object.entries(columns).map(([field, values]) => [field, values[rowIndex]])
  return Object.fromEntries(fields) as PriceRecord
}

/** The name of the model, for people: "GPT-4o". */
export function shownName({
  product_id,
  resource_id,
}: Pick<PriceRecord, 'product_id' | 'resource_id'>): string {
  return product_id === null ? recordName(resource_id) : modelName(product_id)
}

/** What pages about a model ask for: its product, or the record that no product is known of. */
export function findModel({
  product_id,
  resource_id,
}: Pick<PriceRecord, 'product_id' | 'resource_id'>): string {
  return product_id ?? resource_id
}

export const filterNames = ['vendor', 'product', 'platform', 'modality'] as const
type FilterName = (typeof filterNames)[number]

/** The API's filters, exact and combined with "and"; null: any. And what this page alone filters by. */
export type PriceFilter = Record<FilterName, string | null> & {
  /** Words of a name, maker or platform. */
  search: string
  /** Only what makers sell themselves. */
  isOwn: boolean
  /** Only what has a price that nothing is known against. */
  isSure: boolean
}

export const noFilter: PriceFilter = {
  vendor: null,
  product: null,
  platform: null,
  modality: null,
  search: '',
  isOwn: false,
  isSure: false,
}

/** What the columns of the page are sorted by. */
const sortValues = {
  name: (columns) =>
    columns.resource_id.map((resource_id, row) =>
      shownName({ resource_id, product_id: columns.product_id[row] ?? null }).toLowerCase(),
    ),
  platform: ({ platform }) => platform,
  modality: ({ modality }) => modality,
  input: ({ input_per_mtok }) => input_per_mtok,
  output: ({ output_per_mtok }) => output_per_mtok,
  cached: ({ cached_input_per_mtok }) => cached_input_per_mtok,
  // What has not moved since it was first served has no day on which it did.
  updated: ({ updated_at, versions }) => updated_at.map((at, row) => (versions[row]! > 1 ? at : null)),
} satisfies Record<string, (columns: Columns) => readonly (string | number | null)[]>
export type SortColumn = keyof typeof sortValues

export function isSortColumn(name: string): name is SortColumn {
  return Object.hasOwn(sortValues, name)
}

export interface Sort {
  column: SortColumn
  isDescending: boolean
}

/** Indexes of records in the columns. */
export type RowIndexes = Uint32Array

/** A product, or a record without one, as somebody chooses it. */
export interface ModelChoice {
  id: string
  name: string
  vendor: string
}

const amountColumns = [
  'input_per_mtok',
  'output_per_mtok',
  'image_per_unit',
  'audio_per_min',
  'video_per_sec',
] as const

/** Price records in memory, prepared to be searched at every key press. */
export class PriceIndex {
  readonly columns: Columns
  readonly count: number
  readonly vendors: string[]
  readonly platforms: string[]
  readonly modalities: string[]
  readonly #isOwn: boolean[]
  readonly #products: Map<string, number[]>
  readonly #orders = new Map<string, RowIndexes>()
  #searched: Searched[] | null = null

  constructor({ columns, count }: Schemas['PriceTable']) {
    this.columns = columns
    this.count = count
    this.vendors = distinct(columns.vendor)
    this.platforms = distinct(columns.platform)
    this.modalities = distinct(columns.modality)
    this.#isOwn = columns.vendor.map((vendor, row) => columns.platform[row] === vendor)
    this.#products = Map.groupBy(
      columns.resource_id.keys(),
      (row) => columns.product_id[row] ?? columns.resource_id[row]!,
    )
  }

  /**
   * The records that match, in order.
   * @param sort null: what answers the search best comes first; without a search, what is sold most
   */
  find(filter: PriceFilter, sort: Sort | null): RowIndexes {
    const { vendor, product_id, platform, modality } = this.columns
    // What has no price is found by who asks for anything, and is in nobody's way else.
    const isAsked = sort !== null || filter.search !== '' || filterNames.some((name) => filter[name] !== null)
    const left = this.#inOrder(sort).filter(
      (row) =>
        (filter.vendor === null || vendor[row] === filter.vendor) &&
        (filter.product === null || product_id[row] === filter.product) &&
        (filter.platform === null || platform[row] === filter.platform) &&
        (filter.modality === null || modality[row] === filter.modality) &&
        (isAsked || this.#isPriced(row)) &&
        (!filter.isOwn || this.#isOwn[row]!) &&
        (!filter.isSure || this.#isSure(row)),
    )
    const texts = this.#texts
    for (const search of searchesOf(filter.search)) {
      const ranks = new Map<number, number>()
      for (const row of left) {
        const rank = rankOf(texts[row]!, search)
        if (rank !== null) ranks.set(row, rank)
      }
      if (ranks.size === 0) continue
      const found = Uint32Array.from(ranks.keys())
      return sort === null ? this.#byAnswer(found, ranks) : found
    }
    return searchesOf(filter.search).length === 0 ? left : new Uint32Array()
  }

  /** A search that finds something, near to one that finds nothing. */
  nearSearch(search: string): string | null {
    return nearSearch(this.#texts, search)
  }

  rowIndexOf(resourceId: string): number | null {
    const rowIndex = this.columns.resource_id.indexOf(resourceId)
    return rowIndex === -1 ? null : rowIndex
  }

  /** The records of a product, or the record without one: the maker's own first. */
  rowsOfModel(model: string): readonly number[] {
    const rows = this.#products.get(model) ?? []
    return rows.toSorted((a, b) => Number(this.#isOwn[b]) - Number(this.#isOwn[a]) || this.#byId(a, b))
  }

  /** On how many platforms a model is sold. */
  platformCount(model: string): number {
    return new Set(this.rowsOfModel(model).map((row) => this.columns.platform[row])).size
  }

  /** The models that a search finds, each once, the best first. */
  findModels(
    search: string,
    { limit, isProduct = false }: { limit: number; isProduct?: boolean },
  ): ModelChoice[] {
    const { columns } = this
    const found = new Map<string, ModelChoice>()
    for (const row of this.find({ ...noFilter, search }, null)) {
      const [resource_id, product_id] = [columns.resource_id[row]!, columns.product_id[row]!]
      const id = product_id ?? resource_id
      if (found.has(id) || (isProduct && product_id === null)) continue
      found.set(id, { id, name: shownName({ resource_id, product_id }), vendor: columns.vendor[row]! })
      if (found.size === limit) break
    }
    return [...found.values()]
  }

  /** Read once, when something is searched for first. */
  get #texts(): Searched[] {
    if (this.#searched) return this.#searched
    const { resource_id, product_id, vendor, platform } = this.columns
    const companies = new Map(
      [...this.vendors, ...this.platforms].map((id) => [id, searchTextOf(`${id} ${companyName(id)}`)]),
    )
    this.#searched = resource_id.map((id, row) => {
      const model = product_id[row] ?? id.slice(id.indexOf(':') + 1)
      const others = [vendor[row], platform[row]].map((company) => companies.get(company ?? '') ?? '')
      return {
        name: searchTextOf(model.slice(model.lastIndexOf('/') + 1)),
        all: `${searchTextOf(`${id} ${product_id[row] ?? ''}`)}${others.join('')}`,
      }
    })
    return this.#searched
  }

  #isSure(row: number): boolean {
    const standing = this.columns.standing[row]
    return this.#hasPrice(row) && standing !== 'gone' && standing !== 'held' && standing !== 'disputed'
  }

  #isPriced(row: number): boolean {
    return this.#hasPrice(row) || this.columns.rates[row] !== 0
  }

  #hasPrice(row: number): boolean {
    return amountColumns.some((column) => this.columns[column][row] !== null)
  }

  #byAnswer(found: RowIndexes, ranks: ReadonlyMap<number, number>): RowIndexes {
    return found.sort(
      (a, b) =>
        ranks.get(a)! - ranks.get(b)! ||
        Number(this.#isOwn[b]) - Number(this.#isOwn[a]) ||
        this.columns.resource_id[a]!.length - this.columns.resource_id[b]!.length ||
        a - b,
    )
  }

  #byId(a: number, b: number): number {
    const { resource_id } = this.columns
    return resource_id[a]! < resource_id[b]! ? -1 : 1
  }

  /** Every record in order. Sorted once for all filters. */
  #inOrder(sort: Sort | null): RowIndexes {
    const key = sort ? `${sort.column} ${sort.isDescending}` : ''
    const known = this.#orders.get(key)
    if (known) return known
    const order = sort
      ? sorted(sortValues[sort.column](this.columns), sort.isDescending, this.#currencyRanks(sort.column))
      : this.#byImportance()
    this.#orders.set(key, order)
    return order
  }

  /** Amounts of two currencies are not compared: US dollars come first, then the others, each by itself. */
  #currencyRanks(column: SortColumn): (row: number) => number {
    if (column !== 'input' && column !== 'output' && column !== 'cached') return () => 0
    const { currency } = this.columns
    const order = ['USD', ...distinct(currency).filter((one) => one !== 'USD'), null]
    return (row) => order.indexOf(currency[row]!)
  }

  /** What makers sell themselves first, then what is sold on most platforms: a stranger's id opens no page. */
  #byImportance(): RowIndexes {
    const { product_id, resource_id, standing } = this.columns
    const places = resource_id.map((id, row) => {
      const product = product_id[row] ?? null
      return (
        (this.#isOwn[row] ? 0 : 1_000_000) +
        (product === null ? 100_000 : 0) +
        (this.#hasPrice(row) ? 0 : 50_000) +
        (standing[row] === 'gone' ? 25_000 : 0) +
        10_000 -
        Math.min(9_999, this.#products.get(product ?? id)!.length)
      )
    })
    return Uint32Array.from(places.keys()).sort((a, b) => places[a]! - places[b]! || this.#byId(a, b))
  }
}

/** Unknown values come last in both directions. Equal values keep their order: the newest first. */
function sorted(
  values: readonly (string | number | null)[],
  isDescending: boolean,
  rankOf: (row: number) => number,
): RowIndexes {
  const sign = isDescending ? -1 : 1
  return Uint32Array.from(values.keys()).sort((a, b) => {
    const [left, right] = [values[a]!, values[b]!]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || a - b
    return rankOf(a) - rankOf(b) || (left === right ? a - b : left < right ? -sign : sign)
  })
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null).sort()
}
