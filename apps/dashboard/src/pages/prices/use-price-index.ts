import type { Schemas } from '../../../contract/index.ts'
import { usePriceTable } from '../../api/prices.ts'
import { PriceIndex } from './price-index.ts'

const indexes = new WeakMap<Schemas['PriceTable'], PriceIndex>()

/** All prices, prepared once for every page that looks something up. They are some 300 KB: a page may wait with them. */
export function usePriceIndex(isNeeded = true) {
  const { data, error, refetch } = usePriceTable(isNeeded)
  return { index: data && buildIndex(data), error, refetch }
}

function buildIndex(table: Schemas['PriceTable']): PriceIndex {
  let index = indexes.get(table)
  if (!index) {
    index = new PriceIndex(table)
    indexes.set(table, index)
  }
  return index
}
