import type { Db } from '../../database/connect.ts'
import { getKeyRecord } from '../../features/metering/key-record-store.ts'
import { listUsage, readUtcDay, type UsageReportRow } from '../../features/metering/usage-report-store.ts'
import { daySpan, type DaySpan } from '../../features/metering/usage-span.ts'
import { DashboardError } from './errors.ts'
import type { Call } from './operation.ts'

// Ten keys that each use all that there is on each of 400 days have 24,000.
const rowsMax = 25_000

/** What both forms of the report hold: the page's and the file. */
export async function readUsageReport(
  { member, query }: Pick<Call<'getUsageReport'>, 'member' | 'query'>,
  db: Db,
): Promise<DaySpan & { today: string; rows: UsageReportRow[] }> {
  const accountId = member.account.id
  const { key_id: keyId, endpoint } = query
  if (keyId !== undefined) await getKeyRecord(db, accountId, keyId)
  const { day: today } = await readUtcDay(db)
  const span = daySpan(query, today)
  if (typeof span === 'string') throw new DashboardError('invalid_request', { message: span })
  const rows = await listUsage(db, accountId, { ...span, keyId, endpoint }, rowsMax + 1)
  if (rows.length > rowsMax) {
    throw new DashboardError('invalid_request', {
      message: `The report has more than ${rowsMax} rows. Ask for fewer days, or for one key.`,
    })
  }
  return { ...span, today, rows }
}
