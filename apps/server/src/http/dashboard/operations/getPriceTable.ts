import { readPriceTable, readPriceVersion } from '../../../features/prices/price-table.ts'
import { readVersion } from '../../../platform/version.ts'
import type { Operation } from '../operation.ts'

export const getPriceTable: Operation<'getPriceTable'> = async ({ header }, { db }) => {
  const kept = header('if-none-match')
  if (kept !== undefined) {
    const etag = etagOf(await readPriceVersion(db))
    if (names(kept, etag)) return { status: 304, headers: cacheHeaders(etag) }
  }
  const data = await readPriceTable(db)
  return { status: 200, body: { data }, headers: cacheHeaders(etagOf(data.version)) }
}

/** A newer server may tell more of the same records. */
function etagOf(version: string): string {
  return `"${version}-${readVersion()}"`
}

function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' }
}

/** Whether an `If-None-Match` names the tag. A proxy that compresses marks tags as weak. */
function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
