import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { isLockTimeout } from '../database/connect.ts'
import { shortLockTimeout, takeLocks } from '../database/take-locks.ts'
import { enqueuePending } from '../features/webhooks/delivery-store.ts'
import type { Queue } from '../queue/queue.ts'
import { UserError } from '../platform/user-error.ts'
import { readRelease } from '../platform/version.ts'
import { countLines, nameRelease, type BackupHeader } from './format.ts'
import { cancelPending, onConnection } from './pending.ts'
import { readBackup } from './read-backup.ts'
import { filledByItself, readTables } from './tables.ts'
import { openClient, tableName, type BackupProgress } from './write-backup.ts'

export interface RestoreOptions {
  path: string
  /** As the owner of the tables, which have the schema of the backup by now. */
  connectionString: string
  /** For the deliveries that waited; null: they are not to be sent. */
  queue: Pick<Queue, 'enqueue'> | null
  onProgress: (progress: BackupProgress) => void
}

// A server or a worker that is running holds no lock for as long.
const lockTimeoutMs = 5_000
const usualTimeout = `set local lock_timeout = ${lockTimeoutMs}`

/** Fills the empty tables with a backup, in one transaction: all of it is there, or nothing. */
export async function restoreRows(options: RestoreOptions): Promise<Record<string, number>> {
  const client = await openClient(options.connectionString)
  try {
    await client.query('begin', [])
    const rows = await readBackup(options.path, async (reader) => {
      const header = await reader.header()
      await requireSameTables(client, header)
      await lockEmpty(client, header)
      const counts: Record<string, number> = {}
      for await (const table of reader.tables(header)) counts[table.name] = await load(client, table, options)
      return counts
    })
    if (options.queue) await enqueuePending(onConnection(client), options.queue)
    else await cancelPending(client)
    await client.query('commit')
    await client.query(`analyze ${Object.keys(rows).map(tableName).join(', ')}`)
    return rows
  } finally {
    // Without the commit all of it is gone with the connection.
    await client.end().catch(() => undefined)
  }
}

/** Before backups had hashes, several states shared the names of their migrations: the tables tell them apart. */
async function requireSameTables(client: pg.Client, header: BackupHeader): Promise<void> {
  const here = describe(await readTables(client))
  const there = describe(header.tables)
  const differing = [
    ...here.filter((one) => !there.includes(one)),
    ...there.filter((one) => !here.includes(one)),
  ]
  if (differing.length === 0) return
  const named = differing.slice(0, 3).join(', ')
  throw new UserError(
    `The backup was made by another state of Ratecard (${nameRelease(header)}), with other tables than this program (${readRelease()}): ${named}. Restore it with the program that made it, and upgrade that database: docs/upgrading.md lists the states that can be upgraded. Nothing was restored.`,
  )
}

function describe(tables: BackupHeader['tables']): string[] {
  return tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
}

/** Nobody writes from here on, and nobody has written before. */
async function lockEmpty(client: pg.Client, { tables }: BackupHeader): Promise<void> {
  const names = tables.map(({ name }) => name)
  await client.query('savepoint unlocked')
  const lock = `lock table ${names.map(tableName).join(', ')} in access exclusive mode`
  try {
    await takeLocks(
      () => client.query(`rollback to savepoint unlocked; ${shortLockTimeout}; ${lock}; ${usualTimeout}`),
      lockTimeoutMs,
    )
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new UserError(
      'Others use the tables of this database. Stop its servers and workers, and try again.',
      { cause: error },
    )
  }
  const filled = await findFilled(client, names)
  if (filled.length > 0) throw notEmpty(filled)
  for (const name of filledByItself.filter((name) => names.includes(name)))
    await client.query(`delete from ${tableName(name)}`)
}

/** Those of the tables that have rows, but for rows that each database has. */
export async function findFilled(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const own = names.filter((name) => !filledByItself.includes(name))
  if (own.length === 0) return []
  const { rows } = await client.query<{ name: string }>(
    own
      .map((name) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${tableName(name)})`)
      .join(' union all '),
  )
  return rows.map(({ name }) => name)
}

export function notEmpty(filled: readonly string[]): UserError {
  const [first = '', ...others] = filled
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return new UserError(
    `This database is not empty: it has rows in ${first}${more}. A backup is restored into an empty one, never over what is there. Make a new database, or name another folder in DATA_DIR. Nothing was restored.`,
  )
}

async function load(
  client: pg.Client,
  { name, columns, rows }: { name: string; columns: readonly string[]; rows: AsyncGenerator<Buffer> },
  { onProgress }: RestoreOptions,
): Promise<number> {
  const progress: BackupProgress = { table: name, rows: 0, aboutRows: null }
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const lines of rows) {
      yield lines
      progress.rows += countLines(lines)
      onProgress(progress)
    }
  }
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const copy = client.query(copyFrom(`copy ${tableName(name)} (${list}) from stdin`))
  await pipeline(Readable.from(counted()), copy)
  return progress.rows
}
