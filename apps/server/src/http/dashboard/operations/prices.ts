import { listVersions, type PriceVersion } from '../../../features/prices/price-history.ts'
import { amountColumns, servedColumns, type AmountColumn } from '../../../features/prices/price-record.ts'
import { readVersion } from '../../../platform/version.ts'
import { namesEtag } from '../../pipeline/etag.ts'
import { DashboardError, tooOften } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const getPriceTable: Operation<'getPriceTable'> = async ({ header, member }, { db, priceTable }) => {
  const version = await priceTable.readVersion(db)
  const etag = etagOf(version)
  if (namesEtag(header('if-none-match'), etag)) return { status: 304, headers: cacheHeaders(etag) }

  const seconds = priceTable.rate.take(member.account.id)
  if (seconds > 0) throw tooOften(seconds, 'The account had the whole table often enough.')
  const table = await priceTable.read(db, version)
  return { status: 200, json: table, headers: cacheHeaders(etagOf(table.version)) }
}

/** A newer server may serve more of the same records. */
function etagOf(version: string): string {
  return `"${version}-${readVersion()}"`
}

function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' }
}

export const getPriceHistory: Operation<'getPriceHistory'> = async ({ query }, { db }) => {
  const { resource_id } = query
  const versions = await listVersions(db, resource_id)
  if (versions.length === 0) {
    throw new DashboardError('not_found', { message: 'There is no such price record.' })
  }
  return {
    status: 200,
    body: {
      data: { resource_id, versions: versions.map((version, index) => served(version, versions[index + 1])) },
    },
  }
}

/** @param before the state that it followed; undefined: it is the first */
function served(version: PriceVersion, before: PriceVersion | undefined) {
  const amounts = amountColumns.map((column) => {
    const text = version[column]
    return [column, text === null ? null : Number(text)]
  })
  return {
    since: version.known_from,
    valid_from: version.valid_from,
    valid_from_by: version.valid_from_by,
    source: version.source,
    moved: before ? servedColumns.filter((column) => version[column] !== before[column]) : [],
    ...(Object.fromEntries(amounts) as Record<AmountColumn, number | null>),
    currency: version.currency,
  }
}
