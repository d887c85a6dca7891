import type { Db } from '../../database/connect.ts'
import { findKeyRecord } from '../../features/metering/key-record-store.ts'
import { listUsage, readUtcDay, type UsageReportRow } from '../../features/metering/usage-report-store.ts'
import { daySpan, type DaySpan } from '../../features/metering/usage-span.ts'
import { DashboardError, notFound } from './errors.ts'
import type { Call } from './operation.ts'

/** What both forms of the report tell: the page's and the file. */
export async function readUsageReport(
  { member, query }: Pick<Call<'getUsageReport'>, 'member' | 'query'>,
  db: Db,
): Promise<DaySpan & { today: string; rows: UsageReportRow[] }> {
  const accountId = member.account.id
  const { key_id: keyId, endpoint } = query
  if (keyId !== undefined && !(await findKeyRecord(db, accountId, keyId))) throw notFound('key')
  const { day: today } = await readUtcDay(db)
  const span = daySpan(query, today)
  if (typeof span === 'string') throw new DashboardError('invalid_request', { message: span })
  return { ...span, today, rows: await listUsage(db, accountId, { ...span, keyId, endpoint }) }
}
