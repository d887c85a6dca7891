import type { PriceVersion } from '../catalog/price-history.ts'
import { servedColumns } from '../catalog/price-record.ts'
import { shortTime, type Column } from './output.ts'
import { moveColumns, moveLines } from './run-report.ts'

/** A field that moved, and the state with which it did. */
export type HistoryLine = ReturnType<typeof moveLines>[number] & { version: PriceVersion }

/** The fields that moved at each state, compared with the one before: the latest first. */
export function historyLines(versions: readonly PriceVersion[]): HistoryLine[] {
  return versions.flatMap((version, index) => {
    const before = versions[index + 1]
    const fields = servedColumns.filter((field) =>
      before ? before[field] !== version[field] : version[field] !== null && field !== 'resource_id',
    )
    return moveLines(version.resource_id, fields, before ?? {}, version).map((line) => ({ ...line, version }))
  })
}

export const historyColumns: readonly Column<HistoryLine>[] = [
  ['served from (UTC)', ({ version }) => shortTime(version.known_from)],
  ['holds from', ({ version }) => describeBeginning(version)],
  ['source', ({ version }) => version.source],
  ['run', ({ version }) => version.run_id],
  ...moveColumns,
]

/** A day that a source or a change gives, told apart from the moment at which we saw the price first. */
export function describeBeginning({ valid_from, valid_from_by, valid_from_change }: PriceVersion): string {
  if (valid_from_by === 'first_seen') return `first seen ${shortTime(valid_from)}`
  const from = valid_from.endsWith('T00:00:00.000000Z') ? valid_from.slice(0, 10) : shortTime(valid_from)
  return valid_from_change === null ? from : `${from} (${valid_from_change})`
}
