import { Argument } from 'commander'
import { refreshSources, type RefreshOutcome } from '../ingest/run/refresh.ts'
import { rewindSource } from '../ingest/run/rewind.ts'
import { addressedSources } from '../ingest/run/schedule.ts'
import { addresses } from '../ingest/sources/addresses.ts'
import { sources, type SourceName } from '../ingest/sources/index.ts'
import { timeArgument } from './arguments.ts'
import { say, withAlerts, type OperatorCommand } from './command.ts'
import { print, formatTable, type OutputOptions } from './output.ts'
import { changeSection, unknownFieldLines } from './run-report.ts'

export function addRefreshCommand(feed: OperatorCommand): void {
  feed
    .command('refresh')
    .description(
      'Read sources at their public addresses, one after the other; without a name, all that are public data',
    )
    .addArgument(new Argument('[source...]', 'Sources to read').choices(addressedSources()))
    .option('--dry-run', 'Show what would change; write nothing')
    .option('--no-alert', 'Publish what moved, and tell no webhook')
    .notes(
      `
A url that FEED_SOURCES gives for a source counts before its public address. A source that cannot be read keeps no
other from being read; the command exits with 1 then, and when a source is refused.

Addresses:
${Object.entries(addresses)
  .map(([name, { url, every }]) => `  ${name.padEnd(16)} every ${every.padEnd(3)}  ${url}`)
  .join('\n')}

Sellers' own pages (…-page) and lists (below portkey) are read only where they are named: whether their terms allow it
is yours to decide.`,
    )
    .onDatabase(
      async (context, names: SourceName[], options: OutputOptions & { dryRun?: boolean; alert: boolean }) => {
        const { db, config } = context
        const { dryRun = false, alert } = options
        const outcomes = await withAlerts(
          context,
          { alert: alert && !dryRun, severityMin: config.ALERT_MIN_SEVERITY },
          (alerts) =>
            refreshSources(db, {
              ...{
                names,
                schedule: config.FEED_SOURCES,
                keys: config.FEED_KEYS,
                contact: config.PUBLIC_URL,
                alerts,
                dryRun,
              },
              onFault: (source, error) => {
                say(
                  `A fault of ours while reading ${source}: ${error instanceof Error ? error.stack : String(error)}`,
                )
              },
            }),
        )
        print(outcomes.map(toDocument), options, () => formatOutcomes(outcomes, dryRun))
        if (outcomes.some((one) => describeOutcome(one) === 'failed' || describeOutcome(one) === 'refused'))
          process.exitCode = 1
      },
    )
}

export function addRewindCommand(feed: OperatorCommand): void {
  feed
    .command('rewind')
    .description('Take the clock of a source back, after a run with a mistaken --observed-at')
    .addArgument(new Argument('<source>', 'Source whose clock is wrong').choices(Object.keys(sources)))
    .requiredOption('--to <time>', 'The latest time that anything of the source may be of', timeArgument)
    .notes(
      `
A source is never read by a clock before its last run. After a run by a clock in the future every later run would be
refused. This sets whatever the source is said to have stated after the given time to that time: its runs, the states
of prices that they wrote, and since when its rows, holds and dated prices are known. Nothing is removed, no served
amount moves, and changes that were published stay. Read the source again afterwards: dated prices that had begun too
early are taken back then.

Example:
  ratecard feed rewind litellm --to 2026-09-22T06:00:00Z`,
    )
    .onDatabase(async ({ db }, source: SourceName, options: OutputOptions & { to: string }) => {
      const report = await rewindSource(db, source, options.to)
      print(report, options, () =>
        [
          `The clock of ${source} is back from ${report.from} to ${report.to}: ${report.runs} runs and ${report.versions} states of prices are of then.`,
          `Read it again: ratecard feed run ${source}`,
        ].join('\n'),
      )
    })
}

function describeOutcome(one: RefreshOutcome): string {
  return 'report' in one ? one.report.outcome : 'failed'
}

function toDocument(one: RefreshOutcome): object {
  const { source, url } = one
  if ('failure' in one) return { id: source, url, outcome: 'failed', message: one.failure }
  const { report } = one
  return {
    ...{ id: source, url, outcome: report.outcome, message: report.message, run_id: report.run_id },
    ...{ version: report.version, data_at: report.data_at, rows: report.rows },
    added: report.added.length,
    changed: report.changed.length,
    rejected: report.rejected.length,
    held: report.held.length,
    gone: report.gone.length,
    changes: report.changes.length,
    deliveries: report.deliveries,
    unknown_fields: report.unknown_fields,
  }
}

function formatOutcomes(outcomes: readonly RefreshOutcome[], dryRun: boolean): string {
  const reports = outcomes.flatMap((one) => ('report' in one ? [one.report] : []))
  const table = formatTable(outcomes, [
    'source',
    ['outcome', describeOutcome],
    ['data of', (one) => ('report' in one ? one.report.data_at : null)],
    ['rows', (one) => ('report' in one ? one.report.rows : null)],
    ['added', (one) => ('report' in one ? one.report.added.length : null)],
    ['changed', (one) => ('report' in one ? one.report.changed.length : null)],
    ['held', (one) => ('report' in one ? one.report.held.length : null)],
    ['changes', (one) => ('report' in one ? one.report.changes.length : null)],
    ['why', (one) => ('report' in one ? one.report.message : one.failure)],
  ])
  const published = {
    changes: reports.flatMap(({ changes }) => changes),
    deliveries: reports.reduce((sum, { deliveries }) => sum + deliveries, 0),
  }
  return [
    table,
    ...changeSection(published, dryRun ? 'would publish' : 'published'),
    ...unknownFieldLines(reports.map(({ source, unknown_fields }) => ({ source, unknown_fields }))),
    ...(dryRun ? ['Nothing was written (--dry-run).'] : []),
  ].join('\n\n')
}
