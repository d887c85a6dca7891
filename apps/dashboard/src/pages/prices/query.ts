import { useQueryParams, type SetParams } from '../../query-params.ts'
import { filterNames, isSortColumn, type PriceFilter, type Sort, type SortColumn } from './price-index.ts'

/** What the page shows. It is in the page's address, which can be kept and shared. */
export interface PriceQuery {
  filter: PriceFilter
  /** Null: the user has chosen none. */
  sort: Sort | null
  /** The record with open details. */
  record: string | null
}

/** The query, and a function that changes its parameters; null removes one. */
export function usePriceQuery(): [PriceQuery, SetParams] {
  const [params, change] = useQueryParams()
  const filter = Object.fromEntries(filterNames.map((name) => [name, params.get(name)]))
  const query = {
    filter: {
      ...filter,
      search: params.get('search') ?? '',
      isOwn: params.get('own') === '1',
      isSure: params.get('sure') === '1',
    } as PriceFilter,
    sort: readSort(params.get('sort')),
    record: params.get('record'),
  }
  return [query, change]
}

/** Takes every filter away. */
export const cleared = {
  ...Object.fromEntries(filterNames.map((name) => [name, null])),
  ...{ search: null, own: null, sure: null },
}

/** `input`, or `-input` for the other direction. */
function readSort(text: string | null): Sort | null {
  const column = text?.replace(/^-/, '')
  if (!text || !column || !isSortColumn(column)) return null
  return { column, isDescending: text.startsWith('-') }
}

/** The order after a click on a column's head: a new column begins with its smallest value, dates with the newest. */
export function nextSort(present: Sort | null, column: SortColumn): string {
  const isDescending = present?.column === column ? !present.isDescending : column === 'updated'
  return `${isDescending ? '-' : ''}${column}`
}
