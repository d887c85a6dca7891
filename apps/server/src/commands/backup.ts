import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Option } from 'commander'
import type { BackupHeader } from '../backup/format.ts'
import type { BackupProgress } from '../backup/write-backup.ts'
import { compareMigrations, whyOtherSchema } from '../database/compare-migrations.ts'
import type { Db } from '../database/connect.ts'
import { directUrl, type DatabaseServer } from '../database-server.ts'
import { verifyLedger } from '../features/metering/verify-ledger.ts'
import { formatBytes } from '../platform/format-bytes.ts'
import { readConfig } from '../platform/config.ts'
import { UserError } from '../platform/user-error.ts'
import { bringUpToDate } from '../schema.ts'
import { everySoOften, say, withDatabase, withQueue, type CommandGroup, type WorkContext } from './command.ts'
import { writeWhole } from './out-file.ts'
import { print, type OutputOptions } from './output.ts'

interface RestoreCommandOptions extends OutputOptions {
  pending?: 'send' | 'cancel'
  withoutSecretsKey?: boolean
}

export const backupCommands: CommandGroup = (program) => {
  program
    .command('backup')
    .description('Write all that is in the database to a file, as of one moment, while servers go on')
    .option(
      '--to <path>',
      'The file, or a folder to write one into that is named by the time; default: this folder',
    )
    .notes(
      `
The file has the rows of all tables of one moment, for any PostgreSQL from 15 on: "ratecard restore" puts them into an
empty database, embedded or your own. It appears under its name when it is whole, and is readable by you alone: keys and
passwords in it are hashed, secrets of webhooks encrypted, all else is as it is. Keep SECRETS_KEY too, apart from it (an
embedded database has it in DATA_DIR/secrets-key). Sessions of people are not in it.

A big PostgreSQL of your own is better backed up by its own tools, to any moment: "Backup and restore" in
docs/operations.md.

Examples:
  ratecard backup
  ratecard backup --to /var/backups/ratecard
  ratecard backup --to before-the-move.backup.gz`,
    )
    .onDatabaseAsItIs(async ({ config, databaseServer, db }, options: OutputOptions & { to?: string }) => {
      await requireOwnSchema(db)
      const wanted = resolve(config.workingDirectory, options.to ?? '.')
      const file = await chooseName(wanted)
      const { writeBackup } = await import('../backup/write-backup.ts')
      const interrupt = new AbortController()
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupt.abort())
      const { header, rows } = await keepNothingOnInterrupt(interrupt.signal, () =>
        writeBackupTo(file, (path) =>
          writeBackup(ownerUrl(databaseServer), path, createTeller(), interrupt.signal),
        ),
      )
      const { size: bytes } = await stat(file)
      const result = { file, bytes, ...describeBackup(header), rows: total(rows), tables: rows }
      print(
        result,
        options,
        () => `${result.rows} rows of ${header.made_at} are in ${file} (${formatBytes(bytes)}).`,
      )
    })

  program
    .command('restore <file>')
    .description('Put a backup into an empty database: all of it, or nothing')
    .addOption(
      new Option('--pending <what>', 'What becomes of alerts and notices that waited to be sent').choices([
        'send',
        'cancel',
      ]),
    )
    .option('--without-secrets-key', 'Restore though SECRETS_KEY lacks keys: their secrets are lost')
    .notes(
      `
The database is the one of DATABASE_URL (and DATABASE_OWNER_URL where two roles have it), or the embedded one in
DATA_DIR. It must be empty. The file is read to its end and compared with its checksum first; SECRETS_KEY must be the
one of the installation that made it. Stop servers and workers of the database before.

What a backup had waiting: --pending send sends alerts and notices once a worker starts, also those that were sent after
the backup was made (receivers recognise a change by its id). --pending cancel sends none of them. It must be said when
there are any. Sign-up and password mails that waited are not in a backup.

Units used after the backup was made are given back: docs/operations.md says what else is as it was then.

Examples:
  ratecard restore ratecard-2026-11-23T08-30-00Z.backup.gz --pending send      # a move: nothing happened since
  DATABASE_URL=postgres://… SECRETS_KEY=… ratecard restore old.backup.gz --pending cancel`,
    )
    .action(async (path: string, options: RestoreCommandOptions) => {
      const file = resolve(readConfig().workingDirectory, path)
      const { checkBackup } = await import('../backup/read-backup.ts')
      const { header, rows } = await checkBackup(file, createByteTeller())
      const { requireKnownSchema } = await import('../backup/restore-target.ts')
      await requireKnownSchema(header)
      requireChoice(header, options)
      await withDatabase((context) => restore(context, { file, header, rows }, options), { migrate: false })
    })
}

async function restore(
  context: WorkContext,
  { file, header, rows: wanted }: { file: string; header: BackupHeader; rows: number },
  options: RestoreCommandOptions,
): Promise<void> {
  const { config, databaseServer, db } = context
  const { requireEmpty, requireKeys } = await import('../backup/restore-target.ts')
  const connectionString = ownerUrl(databaseServer)
  const isKeyUnset = context.config.SECRETS_KEY === undefined && databaseServer.embedded === null
  if (header.secrets_keys.length > 0 && !options.withoutSecretsKey && isKeyUnset)
    throw new UserError(
      'SECRETS_KEY is not set. Set it to the one of the installation that made the backup (an embedded one keeps it in DATA_DIR/secrets-key): a new key cannot read the secrets in it. When it is lost, add --without-secrets-key. Nothing was restored.',
    )
  if (header.secrets_keys.length > 0 && !options.withoutSecretsKey)
    requireKeys(header, await context.openSecrets())
  await requireEmpty(db, connectionString, header)
  say(`The backup of ${header.made_at} is whole: ${wanted} rows. Restoring …`)
  await bringUpToDate(databaseServer, db, config, { to: header.migrations.at(-1) })
  const { restoreRows } = await import('../backup/restore-backup.ts')
  const fill = (queue: Parameters<typeof restoreRows>[0]['queue']) =>
    restoreRows({ path: file, connectionString, queue, onProgress: createTeller() })
  const sends = options.pending === 'send' && header.pending.deliveries > 0
  const tables = sends ? await withQueue(context, fill) : await fill(null)
  const migrated = await bringUpToDate(databaseServer, db, config)
  const { differences } = await verifyLedger(db)
  const result = {
    ...{ file, ...describeBackup(header), rows: total(tables), tables },
    ...{ pending_became: options.pending ?? null, migrated, ledger_differences: differences.length },
  }
  print(result, options, () =>
    [
      `${result.rows} rows are restored as of ${header.made_at}.`,
      pendingText(header, options),
      ...(migrated.length > 0 ? [`Migrated the database: ${migrated.join(', ')}.`] : []),
      differences.length === 0
        ? 'All balances agree with the ledger.'
        : `${differences.length} balances differ from the ledger, as they did in the backup: ratecard ledger verify`,
    ].join('\n'),
  )
}

/** Rows of another schema would be of no use to a restore by this program. */
async function requireOwnSchema(db: Db): Promise<void> {
  const why = whyOtherSchema(await compareMigrations(db))
  if (why !== null) throw new UserError(`${why} A backup of it as it is is made by the program that made it.`)
}

/** As the owner of the tables, past a pooler: one transaction reads or writes all of them. */
function ownerUrl(databaseServer: DatabaseServer): string {
  return databaseServer.ownerConnectionString ?? directUrl(databaseServer)
}

function requireChoice({ pending }: BackupHeader, options: RestoreCommandOptions): void {
  if (options.pending !== undefined || pending.deliveries + pending.notices === 0) return
  throw new UserError(
    `${pending.deliveries} alerts and ${pending.notices} notices waited to be sent when the backup was made. Say what becomes of them: --pending send, or --pending cancel.`,
    { exitCode: 2 },
  )
}

function pendingText({ pending }: BackupHeader, options: RestoreCommandOptions): string {
  if (pending.deliveries + pending.notices === 0) return 'No alert waited to be sent.'
  const what = `${pending.deliveries} alerts and ${pending.notices} notices that waited`
  return options.pending === 'send' ? `${what} are sent once a worker starts.` : `${what} are cancelled.`
}

function describeBackup(header: BackupHeader) {
  const { made_at, ratecard, commit, postgres, migrations, secrets_keys, pending } = header
  return { made_at, ratecard, commit: commit ?? null, postgres, migrations, secrets_keys, pending }
}

/** The file that is meant, which must not be there yet: the backup before it may be the only good one. */
async function chooseName(wanted: string): Promise<string> {
  const stats = await stat(wanted).catch(() => null)
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const file = stats?.isDirectory() ? join(wanted, `ratecard-${time}Z.backup.gz`) : wanted
  if (await stat(file).catch(() => null))
    throw new UserError(`${file} is there already, and is not replaced. Name another file with --to.`)
  return file
}

async function writeBackupTo<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  let written: T | undefined
  await writeWhole(
    file,
    async (path) => {
      written = await write(path)
    },
    { mode: 0o600 },
  )
  return written as T
}

async function keepNothingOnInterrupt<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted) throw error
    throw new UserError('The backup was interrupted: no file was written.', { cause: error })
  }
}

/** Says how far it is, when it takes long. */
function createTeller(): (progress: BackupProgress) => void {
  const tell = everySoOften()
  return ({ table, rows, aboutRows }) =>
    tell(() => {
      const about = aboutRows !== null && aboutRows >= rows ? ` of about ${Math.round(aboutRows)}` : ''
      return `${table}: ${rows}${about} rows`
    })
}

function createByteTeller(): (bytes: number) => void {
  const tell = everySoOften()
  return (bytes) => tell(() => `Checking the file: ${formatBytes(bytes)} of text are good so far`)
}

function total(rows: Record<string, number>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0)
}
