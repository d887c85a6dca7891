import type { Db } from '../database/connect.ts'
import type { PriceRecord } from '../catalog/price-record.ts'
import { selectRecords } from '../catalog/price-records.ts'
import { readRateCards } from '../catalog/rate-cards.ts'
import { UserError } from '../platform/user-error.ts'
import { readSourceFile } from '../ingest/run/fetch-source.ts'
import { resourceKey } from '../ingest/match/names.ts'
import { feedPolicy } from '../ingest/policy.ts'
import { compareTable, type DriftReport, type ServedPrice } from './compare.ts'
import { readPriceTable, type TableFormat } from './read-table.ts'

// A snapshot of 10,000 records has some 15 MB.
const bytesMax = 64_000_000

/**
 * Compares the table of a file with what is served now.
 * @throws UserError when the file cannot be read, or when nothing of it can be compared: that is no agreement
 */
export async function findDrift(
  db: Db,
  { path, format, now }: { path: string; format: TableFormat | null; now: Date },
): Promise<DriftReport> {
  const { text } = await readSourceFile(path, { bytesMax })
  if (text === undefined) throw new UserError(`Cannot read ${path}: it is an archive, and not one table.`)
  const table = await readPriceTable(text, format, now)
  const served = await readServed(db)
  if (served.size === 0)
    throw new UserError('No price is served, so nothing can be compared: "feed refresh" reads the sources.')
  const report = compareTable(table, served, feedPolicy)
  if (report.compared === 0)
    throw new UserError(
      `None of the ${table.rows.length} prices of ${path}, read as ${report.format}, is one of the ${served.size} that are served: is it the right table?`,
    )
  return report
}

async function readServed(db: Db): Promise<Map<string, ServedPrice>> {
  const records = (await selectRecords(db).execute()) as PriceRecord[]
  const cards = await readRateCards(db)
  return new Map(
    records.map((record) => [
      resourceKey(record.resource_id),
      { record, rates: cards.get(record.resource_id) ?? [] },
    ]),
  )
}
