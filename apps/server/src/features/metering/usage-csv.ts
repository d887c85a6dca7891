import { csvText } from '@ratecard/contract/csv'
import type { UsageReportRow } from './usage-report-store.ts'

/** Usage as RFC 4180 has it, with the names of the keys. */
export function usageCsv(rows: readonly UsageReportRow[]): string {
  const lines = rows.map(({ day, key_id, key_name, endpoint, paid_by, units }) =>
    [day, key_id, csvText(key_name), endpoint, paid_by, units].join(','),
  )
  return ['day,key_id,key_name,endpoint,paid_by,units', ...lines, ''].join('\r\n')
}
