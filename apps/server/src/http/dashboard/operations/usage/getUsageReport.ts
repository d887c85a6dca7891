import type { Operation } from '../../operation.ts'
import { readUsageReport } from '../../usage-query.ts'

export const getUsageReport: Operation<'getUsageReport'> = async (call, { db }) => {
  const report = await readUsageReport(call, db)
  const total = report.rows.reduce((sum, { units }) => sum + units, 0)
  const rows = report.rows.map(({ key_name: _, ...row }) => row)
  return { status: 200, body: { data: { ...report, rows, total } } }
}
