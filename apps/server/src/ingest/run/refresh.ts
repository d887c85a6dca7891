import { isDatabaseUnavailable, type Db } from '../../database/connect.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import type { ScheduledSource } from '../../platform/settings/workers.ts'
import { UserError } from '../../platform/user-error.ts'
import type { RunReport } from '../publish/run-report.ts'
import { runSource } from './run-source.ts'
import { findAddress, publicSources } from './schedule.ts'
import type { SourceName } from '../sources/index.ts'

/** What came of reading one source. */
export type RefreshOutcome =
  | { source: SourceName; url: string; report: RunReport }
  | { source: SourceName; url: string; failure: string }

export interface RefreshOptions {
  /** In this order; none: those that are read where none is named. */
  names: readonly SourceName[]
  /** The operator's own addresses count before the public ones. */
  schedule: readonly ScheduledSource[]
  /** Null: no alert is sent. */
  alerts: AlertOptions | null
  dryRun: boolean
  /** Said to the hosts that are asked. */
  contact?: string | undefined
  /** Keys by the names of their sources. */
  keys?: Readonly<Record<string, string>> | undefined
  /** Called with a fault of the program, which ends no other source. */
  onFault: (source: SourceName, error: unknown) => void
}

/**
 * Reads sources at their addresses, one after the other. A source that cannot be read keeps no other from being read.
 * @throws UserError with exit code 2 when a source has no address
 */
export async function refreshSources(
  db: Db,
  { names, schedule, alerts, dryRun, contact, keys = {}, onFault }: RefreshOptions,
): Promise<RefreshOutcome[]> {
  const located = (names.length > 0 ? [...new Set(names)] : publicSources()).map((source) => {
    const url = findAddress(source, schedule)
    if (url === null)
      throw new UserError(`The source ${source} has no public address: name its data.`, { exitCode: 2 })
    return { source, url }
  })
  const outcomes: RefreshOutcome[] = []
  for (const { source, url } of located) {
    try {
      const report = await runSource(db, { source, location: { url }, alerts, dryRun, contact, keys })
      outcomes.push({ source, url, report })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (!(error instanceof UserError)) onFault(source, error)
      outcomes.push({ source, url, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  return outcomes
}
