import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { Client } from '../database/client.ts'
import { timeouts } from '../database/connect.ts'
import { readCommit, readVersion } from '../platform/version.ts'
import { UserError } from '../platform/user-error.ts'
import { countLines, endOfRows, formatName, formatVersion, type BackupHeader } from './format.ts'
import { readTables } from './tables.ts'

/** How far it is. */
export interface BackupProgress {
  table: string
  rows: number
  /** By the database's statistics, which may be old; null: it does not know. */
  aboutRows: number | null
}

export interface WrittenBackup {
  header: BackupHeader
  rows: Record<string, number>
}

// Twice as fast as the usual level, for a tenth more bytes.
const gzipLevel = 4

/**
 * Writes all rows of one moment to a file, while servers go on. It holds one transaction that only reads: no request
 * waits for it, and what is written meanwhile is not in it.
 */
export async function writeBackup(
  connectionString: string,
  file: string,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  const client = await openClient(connectionString)
  // It may be waiting for a lock that somebody else holds, and would not hear of the end of the connection.
  const cut = () => void client.connection.stream.destroy()
  signal.addEventListener('abort', cut)
  try {
    signal.throwIfAborted()
    // With values, if none: behind a pooler the settings go along with it.
    await client.query('begin isolation level repeatable read read only', [])
    const header = await readHeader(client)
    const rows: Record<string, number> = {}
    const lines = streamBackup(client, header, rows, onProgress)
    const target = createWriteStream(file, { flags: 'w', mode: 0o600 })
    await pipeline(Readable.from(lines), createGzip({ level: gzipLevel }), target, { signal })
    return { header, rows }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A connection whose statements may take as long as they take. */
export async function openClient(connectionString: string): Promise<pg.Client> {
  const client: pg.Client = new Client({
    connectionString,
    application_name: 'ratecard-backup',
    keepAlive: true,
    // Rows that are copied are a stream of their own.
    pipeline: false,
    settings: {
      ...timeouts(undefined),
      client_encoding: 'UTF8',
      extra_float_digits: '1',
      bytea_output: 'hex',
    },
  })
  await client.connect()
  return client
}

async function readHeader(client: pg.Client): Promise<BackupHeader> {
  const { rows: tables } = await client.query(
    "select where to_regclass('public.kysely_migration') is not null",
  )
  if (tables.length === 0)
    throw new UserError('There is nothing to back up: the database has no tables of Ratecard.')
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from kysely_migration order by name',
  )
  const { rows: facts } = await client.query<{ made_at: string; postgres: string; secrets_keys: string[] }>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as made_at,
      current_setting('server_version') as postgres,
      array(
        select secret_key_id from webhooks
        union select next_secret_key_id from webhooks where next_secret_key_id is not null
        -- better-auth names our keys by their numbers.
        union select lpad(to_hex(substring(secret from '^[$]ba[$](\\d+)[$]')::bigint), 12, '0')
        from auth_two_factors where secret ~ '^[$]ba[$]\\d+[$]'
        order by 1
      ) as secrets_keys`)
  const { rows: pending } = await client.query<{ deliveries: number; notices: number }>(`
    select (select count(*)::int from deliveries where state = 'pending') as deliveries,
      (select count(*)::int from notices where outcome = 'waiting') as notices`)
  return {
    format: formatName,
    version: formatVersion,
    ratecard: readVersion(),
    commit: readCommit(),
    migrations: migrations.map(({ name }) => name),
    hashes: Object.fromEntries(migrations.map(({ name, sha256 }) => [name, sha256])),
    tables: await readTables(client),
    pending: pending[0]!,
    ...facts[0]!,
  }
}

/** The text of the backup, a piece at a time. */
async function* streamBackup(
  client: pg.Client,
  header: BackupHeader,
  rows: Record<string, number>,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (bytes: Buffer) => {
    hash.update(bytes)
    return bytes
  }
  const line = (text: string) => hashed(Buffer.from(`${text}\n`))
  yield line(JSON.stringify(header))
  for (const { name, columns } of header.tables) {
    const progress = { table: name, rows: 0, aboutRows: await countAbout(client, name) }
    yield line(JSON.stringify({ table: name }))
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
    const copy = client.query(copyTo(`copy (select ${list} from ${tableName(name)}) to stdout`)) as Readable
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      progress.rows += countLines(chunk)
      yield hashed(chunk)
      onProgress(progress)
    }
    rows[name] = progress.rows
    yield line(endOfRows)
  }
  yield Buffer.from(`${JSON.stringify({ rows, sha256: hash.digest('hex') })}\n`)
}

async function countAbout(client: pg.Client, table: string): Promise<number | null> {
  const { rows } = await client.query<{ about: number }>(
    'select reltuples::float8 as about from pg_class where oid = $1::regclass',
    [tableName(table)],
  )
  const about = rows[0]?.about ?? -1
  return about < 0 ? null : about
}

export function tableName(name: string): string {
  return `public.${pg.escapeIdentifier(name)}`
}
