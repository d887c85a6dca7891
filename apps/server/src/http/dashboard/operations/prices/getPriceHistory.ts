import { listVersions, type PriceVersion } from '../../../../features/prices/price-history.ts'
import { amountColumns, servedColumns, type AmountColumn } from '../../../../features/prices/price-record.ts'
import { DashboardError } from '../../errors.ts'
import type { Operation } from '../../operation.ts'

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
