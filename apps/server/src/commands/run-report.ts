import { formatCount, formatMove } from '@ratecard/contract/wording'
import { amountColumns, type RejectedRow } from '../catalog/price-record.ts'
import { movedColumns } from '../ingest/amounts.ts'
import type { StoredHold } from '../ingest/review/review.ts'
import type { RunReport } from '../ingest/publish/run-report.ts'
import type { UnknownField } from '../ingest/source-record.ts'
import { formatRow, formatTable, type Column } from './output.ts'

// The report of a run of a source, as text and as JSON.

const shownMax = 20

/** One amount or other value that moves. */
export interface MoveLine {
  id: string
  field: string
  before: unknown
  after: unknown
}

/** A line per field of records before and after. */
export function moveLines(id: string, fields: readonly string[], before: object, after: object): MoveLine[] {
  const of = (values: object, field: string) => (values as Record<string, unknown>)[field] ?? null
  return fields.map((field) => ({ id, field, before: of(before, field), after: of(after, field) }))
}

export const moveColumns: readonly Column<MoveLine>[] = [
  'field',
  'before',
  ['', () => '→'],
  'after',
  ['by', (line) => shareText(line)],
]

/** The move of an amount, such as `+25 %`. */
function shareText({ field, before, after }: MoveLine): string | null {
  if (!amountColumns.some((column) => column === field) || before === null || after === null) return null
  return formatMove(before, after)
}

/** A hold for `--json`. */
export function holdDocument({ firstSeen, ...hold }: StoredHold): object {
  return { ...hold, fields: movedColumns(hold.before, hold.after), first_seen: firstSeen }
}

/** The report for `--json`: the fields of the API, and ids where it lists records. */
export function runDocument(report: RunReport, dryRun: boolean): object {
  const { run_id, held, gone, ...rest } = report
  return {
    id: run_id,
    dry_run: dryRun,
    ...rest,
    held: held.map(({ resource_id, firstSeen, ...hold }) => ({
      id: resource_id,
      ...hold,
      first_seen: firstSeen,
    })),
    gone: gone.map((id) => ({ id })),
  }
}

export function runText(report: RunReport, dryRun: boolean): string {
  const { source, outcome, message, added, changed, unchanged, rejected, mended, held, gone } = report
  const counts = {
    source,
    outcome,
    version: report.version,
    'data of': report.data_at,
    rows: report.rows,
    added: added.length,
    changed: changed.length,
    unchanged,
    rejected: rejected.length,
    mended: mended.length,
    held: held.length,
    gone: gone.length,
    changes: report.changes.length,
  }
  const moves = changed.flatMap(({ id, fields, before, after }) => moveLines(id, fields, before, after))
  const waiting = held.flatMap(({ resource_id, reason, fields, before, after }) =>
    moveLines(resource_id, fields, before, after).map((line) => ({ ...line, reason })),
  )
  return [
    formatRow(counts),
    ...(message === null ? [] : [`${outcome}: ${message}`]),
    ...section('changed', moves, [['changed', 'id'], ...moveColumns]),
    ...section('added', added, [
      ['added', 'id'],
      ['input/M', (move) => move.after.input_per_mtok],
      ['output/M', (move) => move.after.output_per_mtok],
      ['unit', (move) => move.after.unit],
    ]),
    ...section('held for review', waiting, [['held', 'id'], 'reason', ...moveColumns]),
    ...section(
      'gone',
      gone.map((id) => ({ id })),
      [['gone', 'id']],
    ),
    ...changeSection(report, dryRun ? 'would publish' : 'published'),
    ...section('rejected', byReason(rejected), [['rejected', 'count'], 'reason', ['such as', 'example']]),
    ...section('mended', mended, [
      ['mended', 'id'],
      ['what is left out', 'reason'],
    ]),
    ...unknownFieldLines([report]),
    ...(dryRun ? ['Nothing was written (--dry-run).'] : []),
  ].join('\n\n')
}

/** What sources state of prices and no importer reads, as a table under its heading. */
export function unknownFieldLines(
  statuses: readonly { source: string; unknown_fields: readonly UnknownField[] }[],
): string[] {
  const lines = statuses.flatMap(({ source, unknown_fields }) =>
    unknown_fields.map((unknown) => ({ source, ...unknown })),
  )
  return section('unknown', lines, [
    'source',
    ['holds prices and is not read', 'field'],
    'rows',
    ['such as', ({ example: { id, value } }) => `${value} in ${id}`],
  ])
}

/** Hundreds of rows are rejected for a few reasons. */
function byReason(rejected: readonly RejectedRow[]): { count: number; reason: string; example: string }[] {
  const groups = Map.groupBy(rejected, ({ reason }) => reason)
  return [...groups]
    .map(([reason, rows]) => ({ count: rows.length, reason, example: rows[0]?.id ?? '' }))
    .sort((a, b) => b.count - a.count)
}

/** The published changes, and the number of alerts. */
export function changeSection(
  { changes, deliveries }: Pick<RunReport, 'changes' | 'deliveries'>,
  heading = 'published',
): string[] {
  if (changes.length === 0) return []
  const isPublished = changes.some(({ id }) => id !== null)
  return [
    ...section('changes', changes, [
      [heading, (change) => change.id ?? '–'],
      'severity',
      'category',
      'title',
    ]),
    ...(isPublished ? [`${formatCount(deliveries, 'delivery', 'deliveries')} queued.`] : []),
  ]
}

/** A table of the first rows, and the number of the others. */
export function section<Row>(name: string, rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  if (rows.length === 0) return []
  const table = formatTable(rows.slice(0, shownMax), columns)
  const more = rows.length - shownMax
  return [more > 0 ? `${table}\n… and ${more} more (${name}); --json lists them all` : table]
}
