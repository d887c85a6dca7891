import { readPriceList } from '../../features/prices/price-store.ts'
import type { Operation } from '../operation.ts'
import { readListPosition, readSince } from '../lists/list-position.ts'

export const listPrices: Operation<'listPrices'> = ({ query }) => {
  const { vendor, product, platform, modality } = query
  const filter = { vendor, product, platform, modality, since: readSince(query) }
  const place = readListPosition(query)
  return Promise.resolve({ page: { shows: [filter, place], read: (db) => readPriceList(db, filter, place) } })
}
