import { isDatabaseUnavailable, type Db } from '../../database/connect.ts'
import type { AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import { UserError } from '../../platform/user-error.ts'
import { isNewerThanBundled } from './bundled.ts'
import { isKept, readSourceText } from './source-files.ts'
import { fetchSource, readSourceFile, Unreachable, UnusableFile, type Validators } from './fetch-source.ts'
import { recordRefusal, repeatRun, runFeed } from './run-feed.ts'
import type { RunReport } from '../publish/run-report.ts'
import { findKey } from './schedule.ts'
import { sources, type Source, type SourceName } from '../sources/index.ts'

/** Where a source is read from: an address, a file, or the data that the installation contains. */
export type SourceLocation = { url: string } | { path: string } | null

export interface SourceRun {
  source: SourceName
  location: SourceLocation
  /** RFC 3339; default: now. */
  observedAt?: string
  /** Null: no alert is sent. */
  alerts: AlertOptions | null
  /** Reports what would change and writes nothing. */
  dryRun?: boolean
  /** Said to the hosts that are asked: see `FetchOptions`. */
  contact?: string | undefined
  /** Keys by the names of their sources. */
  keys?: Readonly<Record<string, string>> | undefined
  /** Aborts reading. A write that has begun is completed. */
  signal?: AbortSignal
  /** The operator confirms that missing rows were removed. */
  acceptGone?: boolean
  /** The operator has looked at the file: no guard refuses it. */
  acceptAll?: boolean
}

/**
 * Reads a source and applies it. A server that has answered before gets a conditional request. When it has nothing new,
 * the run does what depends on time alone. The same holds for data of the program when newer data is loaded.
 * @throws UserError when the source cannot be read, or is not what it should be; that it was so is written down
 */
export async function runSource(db: Db, run: SourceRun): Promise<RunReport> {
  try {
    return await readAndTakeIn(db, run)
  } catch (error) {
    if (!run.dryRun) await recordFailure(db, run, error)
    throw error
  }
}

/** Writes down that nothing came to be read, or that we failed at it. What a reader refuses is written down by then. */
async function recordFailure(
  db: Db,
  { source, location, observedAt: at, signal }: SourceRun,
  error: unknown,
): Promise<void> {
  if (error instanceof UnusableFile) return recordRefusal(db, source, error.message, { at })
  if (error instanceof Unreachable) {
    // Who names a file that is not there is told so, and can name another.
    if (location !== null && 'path' in location) return
    return recordRefusal(db, source, error.message, { at, outcome: 'unreachable' })
  }
  if (error instanceof UserError || isDatabaseUnavailable(error) || signal?.aborted) return
  await recordRefusal(db, source, 'A fault of this program ended the run. Its log says which.', { at })
}

async function readAndTakeIn(
  db: Db,
  { source, location, contact, keys = {}, signal, ...options }: SourceRun,
): Promise<RunReport> {
  if (location === null) {
    const { bundled }: Source = sources[source]
    if (!bundled) throw new UserError(`The source ${source} does not come with the program: give its data.`)
    if (await isNewerThanBundled(db, source)) {
      if (options.dryRun)
        throw new UserError(
          `What is loaded of ${source} is at least as new as what comes with the program: that would not be read. Give an address for the newest.`,
        )
      return repeatRun(db, { ...options, source })
    }
    return runFeed(db, { ...options, source, input: {} })
  }
  const { bytesMax }: Source = sources[source]
  const limits = bytesMax === undefined ? {} : { bytesMax }
  if ('path' in location)
    return runFeed(db, { ...options, source, input: await readSourceFile(location.path, limits) })

  const { url } = location
  const bearer = findKey(source, url, keys)
  const known = options.dryRun ? null : await findValidators(db, source, url)
  const { file, validators } = await fetchSource(url, {
    ...{ known, limits, contact },
    ...(bearer !== undefined && { bearer }),
    ...(signal && { signal }),
  })
  const origin = { url, ...validators }
  return file === null
    ? repeatRun(db, { ...options, source, origin })
    : runFeed(db, { ...options, source, input: { ...file, lastModified: validators.lastModified }, origin })
}

/** The validators (`ETag`, `Last-Modified`) of the answer of this address that was applied last. */
async function findValidators(db: Db, source: string, url: string): Promise<Validators | null> {
  const row = await db
    .selectFrom('feed_sources')
    .select(['etag', 'last_modified'])
    .where('source', '=', source)
    .where('url', '=', url)
    .executeTakeFirst()
  if (!row || (row.etag === null && row.last_modified === null)) return null
  // An earlier release did not keep it.
  if (isKept(source) && (await readSourceText(db, source)) === null) return null
  return { etag: row.etag, lastModified: row.last_modified }
}
