import type { UsageReportRow } from './usage-report-store.ts'

/** Usage as RFC 4180 has it, with the names of the keys. */
export function usageCsv(rows: readonly UsageReportRow[]): string {
  const lines = rows.map(({ day, key_id, key_name, endpoint, paid_by, units }) =>
    [day, key_id, textField(key_name), endpoint, paid_by, units].join(','),
  )
  return ['day,key_id,key_name,endpoint,paid_by,units', ...lines, ''].join('\r\n')
}

/** Text that people chose. What a spreadsheet would run as a formula becomes text by the apostrophe before it. */
function textField(text: string): string {
  const inert = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
