import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database/connect.ts'
import { executedMigrations } from '../database/compare-migrations.ts'
import { hashText, readMigrations } from '../database/migrations.ts'
import type { SecretBox } from '../features/webhooks/secret-box.ts'
import { UserError } from '../platform/user-error.ts'
import { readRelease } from '../platform/version.ts'
import { nameRelease, type BackupHeader } from './format.ts'
import { findFilled, notEmpty } from './restore-backup.ts'
import { readTables } from './tables.ts'
import { openClient } from './write-backup.ts'

// What keeps a backup from being restored is said before anything is written.

/** @throws UserError when the backup has a schema that this release does not know */
export async function requireKnownSchema(header: BackupHeader): Promise<void> {
  const known = await readMigrations()
  const newer = header.migrations[known.length]
  for (const [index, name] of header.migrations.slice(0, known.length).entries()) {
    const hash = header.hashes?.[name]
    if (known[index]?.name === name && (hash === undefined || hash === hashText(known[index].text))) continue
    throw new UserError(
      `The backup was made by another state of Ratecard (${nameRelease(header)}): its migration ${name} is not the one of this program (${readRelease()}). Restore it with the program that made it, and upgrade that database: docs/upgrading.md lists the states that can be upgraded. Nothing was restored.`,
    )
  }
  if (newer === undefined) return
  throw new UserError(
    `The backup was made by a newer release (${nameRelease(header)}): it has the migration ${newer}, which this one lacks. Restore it with that release or a newer one.`,
  )
}

/** @throws UserError when secrets in the backup are under keys that the box lacks */
export function requireKeys({ secrets_keys }: BackupHeader, box: SecretBox): void {
  const missing = secrets_keys.filter((name) => !box.keyIds.includes(name))
  if (missing.length === 0) return
  throw new UserError(
    `SECRETS_KEY lacks the key ${missing.join(', ')}, under which secrets in this backup are stored. Set SECRETS_KEY to the one of the installation that made it (an embedded one keeps it in DATA_DIR/secrets-key), or to NEW,OLD with a comma between. When it is lost, add --without-secrets-key, and then: ratecard secrets abandon ${missing[0]}. Nothing was restored.`,
  )
}

/** @throws UserError when this is no empty database of ours, or none that can become one */
export async function requireEmpty(db: Db, connectionString: string, header: BackupHeader): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw new UserError(
      `This database has the encoding ${encoding}, and cannot hold all texts. Make one with "create database … encoding 'UTF8' template template0".`,
    )
  const executed = await executedMigrations(db)
  if (executed.length === 0) return
  const client: pg.Client = await openClient(connectionString)
  try {
    const filled = await findFilled(
      client,
      (await readTables(client)).map(({ name }) => name),
    )
    if (filled.length > 0) throw notEmpty(filled)
  } finally {
    await client.end()
  }
  const beyond = executed.filter(({ name }, index) => header.migrations[index] !== name)
  if (beyond.length > 0)
    throw new UserError(
      `The tables of this database are newer than the backup: it has the migration ${beyond[0]?.name}. Restore into a database without tables. This command makes those of the backup, fills them, and then brings them up to date.`,
    )
}
