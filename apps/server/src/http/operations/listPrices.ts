import { listPricePage } from '../../features/prices/price-store.ts'
import type { Operation } from '../operation.ts'
import { listBody, readPagePlace, readSince } from '../page.ts'

export const listPrices: Operation<'listPrices'> = async ({ query, reserve }, { db }) => {
  const { vendor, product, platform, modality } = query
  const filter = { vendor, product, platform, modality, since: readSince(query) }
  const page = await listPricePage(db, filter, readPagePlace(query))
  await reserve()
  return { status: 200, body: listBody(page) }
}
