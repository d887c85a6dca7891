import { formatAge } from '@ratecard/contract/wording'
import { Argument } from 'commander'
import { findDisagreements } from '../ingest/review/disagreements.ts'
import { runDue } from '../ingest/run/due.ts'
import { redecide } from '../ingest/run/redecide.ts'
import { findInterval } from '../ingest/run/schedule.ts'
import { sources, type SourceName } from '../ingest/sources/index.ts'
import { listSourceStatus, type SourceStatus } from '../ingest/publish/source-status.ts'
import { readConfirmation, type Confirmation } from '../ingest/review/status.ts'
import type { ScheduledSource } from '../platform/settings/workers.ts'
import { timeArgument } from './arguments.ts'
import { withAlerts, type CommandGroup } from './command.ts'
import { addRefreshCommand, addRewindCommand } from './feed-refresh.ts'
import { addReviewCommands } from './feed-review.ts'
import { fileOption, runAndPrint, sourceHelp, type RunOptions } from './feed-run.ts'
import { print, shortTime, formatTable, type Column, type OutputOptions } from './output.ts'
import { changeSection, runDocument, unknownFieldLines } from './run-report.ts'

export const feedCommands: CommandGroup = (program) => {
  const feed = program.command('feed').description('Price sources: read, watched over and compared')

  feed
    .command('run')
    .description('Read a source: serve what it says, publish what moved, hold what cannot be believed')
    .addArgument(new Argument('<source>', 'Source to read').choices(Object.keys(sources)))
    .addOption(fileOption())
    .option('--url <url>', 'Read what this address answers: http, https or file')
    .option('--dry-run', 'Show what would change; write nothing')
    .option('--observed-at <time>', 'When the source said so, for a replay; default: now', timeArgument)
    .option('--no-alert', 'Publish what moved, and tell no webhook')
    .option('--accept-gone', 'Rows that are gone are gone: do not wait')
    .option(
      '--accept-file',
      'I have looked at the file: believe what moves alike in it, and all its new rows',
    )
    .notes(
      `
Without --file and --url it is read where FEED_SOURCES says, else from what comes with the program.
A run that is refused exits with 1. Running the same again changes nothing.

Sources:
${sourceHelp()}

Examples:
  ratecard feed run litellm --file prices.json --dry-run
  ratecard feed run litellm --url https://prices.example/litellm.json
  ratecard feed run genai-prices --observed-at 2026-07-01`,
    )
    .action((source: SourceName, options: OutputOptions & Omit<RunOptions, 'source'>) =>
      runAndPrint({ ...options, source }, runDocument),
    )

  feed
    .command('status')
    .description(
      'Show where each source stands: its last run, how old its data is, and what is not read of it',
    )
    .onDatabase(async ({ db, config }, options: OutputOptions) => {
      const statuses = withSchedule(await listSourceStatus(db), config.FEED_SOURCES)
      const table: readonly Column<(typeof statuses)[number]>[] = [
        ['source', 'id'],
        ['last run (UTC)', (status) => shortTime(status.observed_at)],
        ['read', (status) => formatSeconds(status.age_seconds)],
        ['data of', 'data_at'],
        ['data age', (status) => formatSeconds(status.data_age_seconds)],
        ['every', (status) => status.every ?? 'by hand'],
        ['outcome', (status) => status.outcome ?? 'never run'],
        ['failing since (UTC)', (status) => shortTime(status.failing_since ?? null)],
        ['loaded (UTC)', (status) => shortTime(status.loaded_at ?? null)],
        'version',
        'rows',
        'rejected',
        'held',
        ['why', 'message'],
      ]
      const confirmation = await readConfirmation(db)
      print(statuses, options, () =>
        statuses.length === 0
          ? 'No source has been read: ratecard feed refresh'
          : [
              formatTable(statuses, table),
              confirmationText(confirmation),
              ...unknownFieldLines(
                statuses.map(({ id, unknown_fields }) => ({
                  source: id,
                  unknown_fields: unknown_fields ?? [],
                })),
              ),
            ].join('\n\n'),
      )
    })

  addRefreshCommand(feed)
  addRewindCommand(feed)
  addReviewCommands(feed)

  feed
    .command('disagreements')
    .description(
      'Compare the sources: amounts of one resource that are more than 0.5 % apart, the widest first',
    )
    .onDatabase(async ({ db }, options: OutputOptions) => {
      const { compared, disagreements } = await findDisagreements(db)
      const confirmation = await readConfirmation(db)
      const document = { compared, disagreeing: disagreements.length, ...confirmation, disagreements }
      const summary = `${disagreements.length} of ${compared} amounts that several sources state are more than 0.5 % apart.\n${confirmationText(confirmation)}`
      print(document, options, () => {
        if (disagreements.length === 0) return summary
        const table = formatTable(disagreements, [
          ['resource', 'id'],
          'field',
          ['source → value', ({ values }) => valuesText(values)],
          'served',
          ['apart', ({ spread_pct }) => `${spread_pct} %`],
        ])
        return `${table}\n\n${summary}`
      })
    })

  feed
    .command('redecide')
    .description('Decide everything again from what the sources said, after a new version of this program')
    .option('--dry-run', 'Show how many prices would differ; write nothing')
    .notes(
      '\nNo source is read. What differs is published as corrections, and never alerted. A second time changes nothing.',
    )
    .onDatabase(async ({ db }, options: OutputOptions & { dryRun?: boolean }) => {
      const report = await redecide(db, { dryRun: options.dryRun ?? false })
      print(report, options, () =>
        [
          `${report.changed.length} prices differ, ${report.left.length} are no longer served.`,
          ...changeSection(report),
          ...(options.dryRun ? ['Nothing was written (--dry-run).'] : []),
        ].join('\n\n'),
      )
    })

  feed
    .command('due')
    .description('Let dated prices begin whose day has come, and remind of those that are near')
    .option('--observed-at <time>', 'The moment to act for; default: now', timeArgument)
    .option('--no-alert', 'Publish, and tell no webhook')
    .notes('\nWorkers do this every hour. Doing it again changes nothing.')
    .onDatabase(async (context, options: OutputOptions & { observedAt?: string; alert: boolean }) => {
      const { db, config } = context
      const { observedAt, alert } = options
      const report = await withAlerts(context, { alert, severityMin: config.ALERT_MIN_SEVERITY }, (alerts) =>
        runDue(db, { ...(observedAt !== undefined && { observedAt }), alerts }),
      )
      const applied = report.applied.map((id) => ({ id }))
      print({ ...report, applied }, options, () =>
        [
          applied.length === 0 ? 'No dated price begins.' : formatTable(applied, [['began', 'id']]),
          ...changeSection(report),
        ].join('\n\n'),
      )
    })
}

function confirmationText({ priced, confirmed, outvoted }: Confirmation): string {
  const share = priced === 0 ? '' : ` (${((100 * confirmed) / priced).toFixed(1)} %)`
  return `${confirmed} of ${priced} prices${share} are confirmed by two or more independent sources; ${outvoted} served amounts are denied by two that agree.`
}

type ScheduledStatus = {
  [Field in keyof SourceStatus]: Field extends 'id' ? string : SourceStatus[Field] | null
} & {
  every: string | null
}

/** Sources that have been run, and scheduled ones. */
function withSchedule(
  statuses: readonly SourceStatus[],
  schedule: readonly ScheduledSource[],
): ScheduledStatus[] {
  const every = new Map(schedule.map((item) => [item.source, findInterval(item)]))
  const known = new Set(statuses.map(({ id }) => id))
  return [
    ...statuses.map((status) => ({ ...status, every: every.get(status.id) ?? null })),
    ...schedule
      .filter(({ source }) => !known.has(source))
      .map((item) => ({ ...neverRun, id: item.source, every: findInterval(item), url: item.url ?? null })),
  ]
}

const neverRun = {
  run_id: null,
  observed_at: null,
  outcome: null,
  message: null,
  failing_since: null,
  loaded_at: null,
  version: null,
  data_at: null,
  data_age_seconds: null,
  unknown_fields: null,
  rows: null,
  rejected: null,
  added: null,
  changed: null,
  gone: null,
  published: null,
  held: null,
  age_seconds: null,
  rejections: null,
}

function formatSeconds(seconds: number | null): string | null {
  return seconds === null ? null : formatAge(seconds * 1_000)
}

function valuesText(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([source, value]) => `${source} → ${value}`)
    .join(', ')
}
