import { readPriceList } from '../../catalog/price-store.ts'
import { readListPosition, readSince } from '../lists/list-position.ts'
import { listQuery } from '../lists/list-query.ts'
import type { Operation } from '../pipeline/operation.ts'

export const listPrices: Operation<'listPrices'> = ({ query: { cursor, limit, since, ...values } }) => {
  const filter = { ...values, since: readSince(since) }
  const position = readListPosition({ cursor, limit })
  return Promise.resolve(
    listQuery('listPrices', { filter, position }, (db) => readPriceList(db, filter, position)),
  )
}
