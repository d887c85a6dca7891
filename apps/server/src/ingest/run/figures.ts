import type { DueReport } from './due.ts'
import type { RunReport } from '../publish/run-report.ts'

/** The figures of a run for the log. */
export type RunFigures = ReturnType<typeof toFigures>

export function toFigures(report: RunReport) {
  const { source, run_id, outcome, message, version, rows, unchanged, deliveries } = report
  return {
    source,
    run_id,
    outcome,
    ...(message !== null && { reason: message }),
    version,
    data_at: report.data_at,
    rows,
    added: report.added.length,
    changed: report.changed.length,
    unchanged,
    rejected: report.rejected.length,
    mended: report.mended.length,
    unknown_fields: report.unknown_fields,
    held: report.held.length,
    gone: report.gone.length,
    changes: report.changes.length,
    deliveries,
  }
}

export type DueFigures = ReturnType<typeof toDueFigures>

export function toDueFigures({ applied, changes, deliveries }: DueReport) {
  return { applied: applied.length, changes: changes.length, deliveries }
}
