import { useQueryParams, type SetParams } from '../../query-params.ts'
import { filterNames, isSortColumn, type PriceFilter, type Sort, type SortColumn } from './price-index.ts'

/** What the page shows. It is in the page's address, which can be kept and shared. */
export interface PriceQuery {
  filter: PriceFilter
  sort: Sort
  /** The record with open details. */
  record: string | null
}

const newestFirst: Sort = { column: 'updated', isDescending: true }

/** The query, and a function that changes its parameters; null removes one. */
export function usePriceQuery(): [PriceQuery, SetParams] {
  const [params, change] = useQueryParams()
  const filter = Object.fromEntries(filterNames.map((name) => [name, params.get(name)]))
  const query = {
    filter: { ...filter, search: params.get('search') ?? '' } as PriceFilter,
    sort: readSort(params.get('sort')),
    record: params.get('record'),
  }
  return [query, change]
}

/** `input`, or `-input` for the other direction. */
function readSort(text: string | null): Sort {
  const column = text?.replace(/^-/, '')
  if (!text || !column || !isSortColumn(column)) return newestFirst
  return { column, isDescending: text.startsWith('-') }
}

/** The order after a click on a column's head: a new column begins with its smallest value, dates with the newest. */
export function nextSort(present: Sort, column: SortColumn): string {
  const isDescending = present.column === column ? !present.isDescending : column === 'updated'
  return `${isDescending ? '-' : ''}${column}`
}
