import type { Db } from '../database/connect.ts'
import { importPrices, type ImportOptions, type ImportResult } from '../features/prices/import-prices.ts'
import type { RejectedRow } from '../features/prices/price-record.ts'
import { listProducts } from '../features/prices/price-store.ts'
import { sources, type SourceInput, type SourceName } from './sources/index.ts'

export interface SourceImport extends ImportResult {
  rejected: RejectedRow[]
}

/** Reads a source and makes the served prices those it states. */
export async function importSource(
  db: Db,
  source: SourceName,
  input: Omit<SourceInput, 'knownProducts'>,
  options: Omit<ImportOptions, 'source'> = {},
): Promise<SourceImport> {
  const { records, rejected } = await sources[source].read({
    ...input,
    knownProducts: await listProducts(db),
  })
  return { ...(await importPrices(db, records, { source, ...options })), rejected }
}
