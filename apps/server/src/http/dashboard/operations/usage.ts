import { readTerms } from '../../../features/entitlements/account-terms.ts'
import * as steps from '../../../features/metering/first-steps-store.ts'
import { getKeyRecord } from '../../../features/metering/key-record-store.ts'
import { listLivePacks } from '../../../features/metering/pack-store.ts'
import { sumRequests } from '../../../features/metering/request-report-store.ts'
import { usageCsv } from '../../../features/metering/usage-csv.ts'
import {
  listQuotas,
  listUsage,
  listUsageByDay,
  readUtcDay,
} from '../../../features/metering/usage-report-store.ts'
import { addDays, daySpan, spanDaysDefault } from '../../../features/metering/usage-span.ts'
import { listRecentFailures } from '../../../features/webhooks/recent-failures.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { forMembers, type Call, type DashboardServices } from '../operation.ts'
import { Done } from '../schemas/common.ts'
import { Overview, Usage, UsageFilter } from '../schemas/usage.ts'

export const getOverview = forMembers.read(
  'GET /overview',
  { 200: data(Overview) },
  async ({ member }, { db, billing }) => {
    const accountId = member.account.id
    const { day, ends_at } = await readUtcDay(db)
    const [{ dailyLimit: limit }, quotas, packs, days, failures, outcomes, firstSteps] = await Promise.all([
      readTerms(db, accountId),
      listQuotas(db, accountId),
      listLivePacks(db, accountId),
      listUsageByDay(db, accountId, { from: addDays(day, 1 - spanDaysDefault), to: day }),
      listRecentFailures(db, accountId),
      sumRequests(db, accountId, { status: 'refused' }, { day }),
      steps.readFirstSteps(db, accountId),
    ])
    return {
      day,
      resets_at: ends_at,
      quotas: quotas.map((quota) => ({ ...quota, limit })),
      used_today: days.filter((row) => row.day === day).reduce((sum, { units }) => sum + units, 0),
      packs: packs.map(({ account_id: _, ...pack }) => pack),
      sells_packs: billing.provider !== null,
      days,
      failures,
      refused_today: outcomes,
      first_steps: firstSteps,
    }
  },
)

export const endFirstSteps = forMembers.write('POST /first-steps/end', { 200: Done }, ({ member }, { db }) =>
  steps.endFirstSteps(db, member.account.id),
)

export const getUsageReport = forMembers.read(
  'GET /usage',
  { query: UsageFilter, 200: data(Usage), errors: ['not_found'] },
  async (call, services) => {
    const report = await readUsageReport(call, services)
    const total = report.rows.reduce((sum, { units }) => sum + units, 0)
    const rows = report.rows.map(({ key_name: _, ...row }) => row)
    return { ...report, rows, total }
  },
)

export const exportUsage = forMembers.read(
  'GET /usage.csv',
  { query: UsageFilter, 200: 'file', errors: ['not_found'] },
  async (call, services) => {
    const { from, to, rows } = await readUsageReport(call, services)
    const text = usageCsv(rows)
    return { name: `usage-${from}-to-${to}.csv`, type: 'text/csv', text }
  },
)

// Ten keys that each use all that there is on each of 400 days have 24,000.
const rowsMax = 25_000

/** What both forms of the report hold: the page's and the file. */
async function readUsageReport(
  { member, query }: Pick<Call<{ query: typeof UsageFilter }>, 'member' | 'query'>,
  { db, keptDays }: Pick<DashboardServices, 'db' | 'keptDays'>,
) {
  const accountId = member.account.id
  const { key_id: keyId, endpoint } = query
  if (keyId !== undefined) await getKeyRecord(db, accountId, keyId)
  const { day: today } = await readUtcDay(db)
  const span = daySpan(query, today, keptDays.usage)
  if (typeof span === 'string') throw new DashboardError('invalid_request', { message: span })
  const rows = await listUsage(db, accountId, { ...span, keyId, endpoint }, rowsMax + 1)
  if (rows.length > rowsMax) {
    throw new DashboardError('invalid_request', {
      message: `The report has more than ${rowsMax} rows. Ask for fewer days, or for one key.`,
    })
  }
  return { ...span, today, rows }
}
