import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import { connect, type Db } from '../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../apps/server/src/database/embedded.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { generateApiKey, hashApiKey } from '../../apps/server/src/features/accounts/api-key.ts'
import { keyCount } from './peers/peer.ts'

// A PostgreSQL that keeps what it commits (fsync on, as it is by default), and in it the databases of a run. Where only
// plans count, it does not.

/** Of a program that was interrupted. */
const interruptedCode = 130

export interface Cluster {
  /** Of the server's own database. */
  url: string
  folder: string
  /** The process that all of PostgreSQL's descend from. */
  pid: number
  version: string
  /** An empty database, without our schema; returns where it is. */
  createDatabase: (name: string) => Promise<string>
  openDatabase: (name: string) => Promise<Database>
  close: () => Promise<void>
}

export interface Database extends AsyncDisposable {
  connectionString: string
  db: Db
  /** One key each of as many accounts on the enterprise plan. */
  keys: string[]
  /** Units that the service has counted in its ledger so far. */
  countedUnits: () => Promise<number>
  /** Units that the peers have counted so far. */
  countedByPeers: () => Promise<number>
}

export async function openCluster(settings: readonly string[] = []): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  const { connectionString: url, dataDir, release } = await openEmbedded(folder, { settings })
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const [found] = await administer<{ server_version: string }>(url, 'show server_version')
  let closing: Promise<void> | null = null
  const close = () => (closing ??= release().then(() => rm(folder, { recursive: true, force: true })))
  // The database is in a session of its own: it would outlive a Ctrl-C.
  const interrupt = () => void close().finally(() => process.exit(interruptedCode))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  return {
    ...{ url, folder, close },
    pid: Number.parseInt(pidFile),
    version: found?.server_version.split(' ')[0] ?? 'unknown',
    createDatabase: (name) => createDatabase(url, name),
    openDatabase: async (name) => prepareDatabase(await createDatabase(url, name)),
  }
}

async function createDatabase(server: string, name: string): Promise<string> {
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement on the server's own database. */
export async function administer<Row>(server: string, statement: string): Promise<Row[]> {
  const db = connect({ connectionString: server, connectionsMax: 1 })
  try {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement))
    return rows
  } finally {
    await db.destroy()
  }
}

/** The server of `DATABASE_URL`, or an embedded one that lives until `close` and may lose what it commits. */
export async function openFastServer(): Promise<Pick<Cluster, 'url' | 'close'>> {
  const given = process.env.DATABASE_URL
  const fast = ['fsync=off', 'full_page_writes=off', 'max_wal_size=4GB', 'maintenance_work_mem=256MB']
  return given ? { url: given, close: () => Promise.resolve() } : openCluster(fast)
}

/**
 * A migrated, empty database on the server of `DATABASE_URL`, or on an embedded one; gone at the end of the scope.
 * @param options.keep leaves it there, for who wants to look; on the server of `DATABASE_URL` alone
 */
export async function openDatabase({ keep = false } = {}): Promise<AsyncDisposable & { db: Db }> {
  const server = await openFastServer()
  const name = `ratecard_bench_${process.pid}`
  const db = connect({ connectionString: await createDatabase(server.url, name), connectionsMax: 1 })
  await migrate(db)
  return {
    db,
    [Symbol.asyncDispose]: async () => {
      await db.destroy()
      if (!keep) await administer(server.url, `drop database ${name} with (force)`)
      await server.close()
    },
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
    [Symbol.asyncDispose]: () => db.destroy(),
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
