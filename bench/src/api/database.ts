import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../../apps/server/src/database/embedded.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { generateApiKey, hashApiKey } from '../../../apps/server/src/features/accounts/api-key.ts'
import { keyCount } from '../peers/peer.ts'

// A PostgreSQL that keeps what it commits (fsync on, as it is by default), and in it the databases of a run.

/** Of a program that was interrupted. */
const interruptedCode = 130

export interface Cluster {
  folder: string
  /** The process that all of PostgreSQL's descend from. */
  pid: number
  version: string
  /** An empty database, without our schema; returns where it is. */
  createDatabase: (name: string) => Promise<string>
  openDatabase: (name: string) => Promise<Database>
  close: () => Promise<void>
}

export interface Database {
  connectionString: string
  db: Db
  /** One key each of as many accounts on the enterprise plan. */
  keys: string[]
  /** Units that the service has counted in its ledger so far. */
  countedUnits: () => Promise<number>
  /** Units that the peers have counted so far. */
  countedByPeers: () => Promise<number>
  close: () => Promise<void>
}

export async function openCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  const embedded = await openEmbedded(folder)
  const pidFile = await readFile(join(embedded.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const admin = connect({ connectionString: embedded.connectionString, connectionsMax: 1 })
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(admin)
  let closing: Promise<void> | null = null
  const close = () => (closing ??= tearDown())
  const tearDown = async () => {
    await admin.destroy()
    await embedded.release()
    await rm(folder, { recursive: true, force: true })
  }
  // The database is in a session of its own: it would outlive a Ctrl-C.
  const interrupt = () => void close().finally(() => process.exit(interruptedCode))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const createDatabase = async (name: string) => {
    await admin.executeQuery(CompiledQuery.raw(`create database ${name}`))
    const url = new URL(embedded.connectionString)
    url.pathname = `/${name}`
    return url.href
  }
  return {
    folder,
    pid: Number.parseInt(pidFile),
    version: rows[0]?.server_version.split(' ')[0] ?? 'unknown',
    createDatabase,
    openDatabase: async (name) => prepareDatabase(await createDatabase(name)),
    close,
  }
}

/** An empty database with our schema and with callers. */
export async function prepareDatabase(connectionString: string): Promise<Database> {
  const db = connect({ connectionString })
  await migrate(db)
  const keys = await createCallers(db)
  const count = async (from: RawBuilder<number>) => {
    const { rows } = await sql<{ units: number }>`select coalesce(${from}, 0)::int8 as units`.execute(db)
    return rows[0]?.units ?? 0
  }
  return {
    ...{ connectionString, db, keys },
    countedUnits: () => count(sql`(select sum(units) from usage_entries)`),
    countedByPeers: () => count(sql`(select sum(used) from peer_quotas)`),
    close: () => db.destroy(),
  }
}

async function createCallers(db: Db): Promise<string[]> {
  const keys = Array.from({ length: keyCount }, generateApiKey)
  const hashes = keys.map((key) => `\\x${hashApiKey(key).toString('hex')}`)
  const numbers = keys.map((_, index) => index + 1)
  await sql`insert into accounts (id, name)
    select 'acct_' || n, 'Account ' || n from unnest(${numbers}::int[]) n`.execute(db)
  await sql`insert into subscriptions (account_id, plan, starts_at)
    select id, 'enterprise', now() - interval '1 day' from accounts`.execute(db)
  await sql`insert into api_keys (id, account_id, name, hash, prefix, last_four, quota_subject)
    select 'key_' || n, 'acct_' || n, 'Key', hash, 'rc_live_', 'last', 'key_' || n
    from unnest(${numbers}::int[], ${hashes}::bytea[]) as keys (n, hash)`.execute(db)
  // The peers' counters: with room for updates in place, as ours have.
  await sql`create table peer_quotas (key_id text primary key, used integer not null default 0)
    with (fillfactor = 50)`.execute(db)
  await sql`insert into peer_quotas (key_id) select id from api_keys`.execute(db)
  await sql`analyze`.execute(db)
  return keys
}
