import type { Db } from '../database/connect.ts'
import type { AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { UserError } from '../platform/user-error.ts'
import { fetchSource, readSourceFile, type Validators } from './fetch-source.ts'
import { repeatRun, runFeed } from './run-feed.ts'
import type { RunReport } from './run-report.ts'
import { sources, type Source, type SourceName } from './sources/index.ts'

/** Where a source is read: an address, a file, or what the installation carries. */
export type Place = { url: string } | { path: string } | null

export interface SourceRun {
  source: SourceName
  place: Place
  /** RFC 3339; default: now. */
  observedAt?: string
  /** Null: nobody is told. */
  alerts: AlertOptions | null
  /** Says what would change; writes nothing. */
  dryRun?: boolean
  /** Gives up reading when it aborts. What is being written is written to its end. */
  signal?: AbortSignal
  /** The operator says that rows which are gone are gone. */
  acceptGone?: boolean
}

/**
 * Reads a source and takes in what it says. A server that has answered before is asked for news only; when it has
 * none, what time alone changes is done.
 * @throws UserError when the source cannot be read, or is not what it should be
 */
export async function runSource(
  db: Db,
  { source, place, signal, ...options }: SourceRun,
): Promise<RunReport> {
  if (place === null) {
    const { bundled }: Source = sources[source]
    if (!bundled) throw new UserError(`The source ${source} does not come with the program: give its data.`)
    return runFeed(db, { ...options, source, input: {} })
  }
  const { bytesMax }: Source = sources[source]
  const limits = bytesMax === undefined ? {} : { bytesMax }
  if ('path' in place)
    return runFeed(db, { ...options, source, input: await readSourceFile(place.path, limits) })

  const { url } = place
  const known = options.dryRun ? null : await findValidators(db, source, url)
  const { file, validators } = await fetchSource(url, { known, limits, ...(signal && { signal }) })
  const origin = { url, ...validators }
  return file === null
    ? repeatRun(db, { ...options, source, origin })
    : runFeed(db, { ...options, source, input: file, origin })
}

/** By what the server at this address will know the answer that was taken in last. */
async function findValidators(db: Db, source: string, url: string): Promise<Validators | null> {
  const row = await db
    .selectFrom('feed_sources')
    .select(['etag', 'last_modified'])
    .where('source', '=', source)
    .where('url', '=', url)
    .executeTakeFirst()
  if (!row || (row.etag === null && row.last_modified === null)) return null
  return { etag: row.etag, lastModified: row.last_modified }
}
