import { usageCsv } from '../../../../features/metering/usage-csv.ts'
import type { Operation } from '../../operation.ts'
import { readUsageReport } from '../../usage-query.ts'

export const exportUsage: Operation<'exportUsage'> = async (call, { db }) => {
  const { from, to, rows } = await readUsageReport(call, db)
  const text = usageCsv(rows)
  return { status: 200, file: { name: `usage-${from}-to-${to}.csv`, type: 'text/csv', text } }
}
