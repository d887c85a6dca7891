import { resolve } from 'node:path'
import { Option } from 'commander'
import type { RunReport } from '../ingest/publish/run-report.ts'
import { runSource, type SourceLocation } from '../ingest/run/run-source.ts'
import { sources, type Source, type SourceName } from '../ingest/sources/index.ts'
import type { Config } from '../platform/config.ts'
import { UserError } from '../platform/user-error.ts'
import { withAlerts, withDatabase } from './command.ts'
import { print, type OutputOptions } from './output.ts'
import { runText } from './run-report.ts'

// What `feed run` and `prices import` have in common.

export interface RunOptions {
  source: SourceName
  file?: string
  url?: string
  dryRun?: boolean
  observedAt?: string
  alert: boolean
  acceptGone?: boolean
  acceptFile?: boolean
}

export function fileOption(): Option {
  return new Option('--file <path>', 'Read this file').conflicts('url')
}

export function sourceHelp(): string {
  return Object.values(sources)
    .map(({ name, description }) => `  ${name.padEnd(14)} ${description}`)
    .join('\n')
}

/**
 * Runs a source and prints what came of it. Exits with 1 when the run was not applied.
 * @param buildDocument what is printed with `--json`
 */
export async function runAndPrint(
  options: OutputOptions & RunOptions,
  buildDocument: (report: RunReport, dryRun: boolean) => object,
): Promise<void> {
  await withDatabase(async (context) => {
    const { db, config } = context
    const { source, dryRun = false, observedAt, acceptGone, acceptFile } = options
    const location = chooseLocation(config, options)
    const alert = options.alert && !dryRun
    const report = await withAlerts(context, { alert, severityMin: config.ALERT_MIN_SEVERITY }, (alerts) =>
      runSource(db, {
        source,
        location,
        alerts,
        dryRun,
        contact: config.PUBLIC_URL,
        keys: config.FEED_KEYS,
        ...(observedAt !== undefined && { observedAt }),
        ...(acceptGone !== undefined && { acceptGone }),
        ...(acceptFile !== undefined && { acceptAll: acceptFile }),
      }),
    )
    print(buildDocument(report, dryRun), options, () => runText(report, dryRun))
    if (report.outcome !== 'applied') process.exitCode = 1
  })
}

function chooseLocation(config: Config, { source, file, url }: RunOptions): SourceLocation {
  if (file !== undefined) return { path: resolve(config.workingDirectory, file) }
  if (url !== undefined) return { url }
  const scheduled = config.FEED_SOURCES.find((item) => item.source === source)
  if (scheduled?.url !== undefined) return { url: scheduled.url }
  const { bundled, url: publicUrl }: Source = sources[source]
  if (bundled) return null
  if (scheduled && publicUrl !== undefined) return { url: publicUrl }
  const orElse = publicUrl === undefined ? '' : `, or read its public address: feed refresh ${source}`
  throw new UserError(
    `The source ${source} does not come with the program. Name its data: --file PATH or --url URL${orElse}.`,
    { exitCode: 2 },
  )
}
