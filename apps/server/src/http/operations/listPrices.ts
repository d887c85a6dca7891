import { readPricePage } from '../../features/prices/price-store.ts'
import type { Operation } from '../operation.ts'
import { readPagePlace, readSince } from '../page.ts'

export const listPrices: Operation<'listPrices'> = ({ query }) => {
  const { vendor, product, platform, modality } = query
  const filter = { vendor, product, platform, modality, since: readSince(query) }
  const place = readPagePlace(query)
  return Promise.resolve({ page: { shows: [filter, place], read: (db) => readPricePage(db, filter, place) } })
}
