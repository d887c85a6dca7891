import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import { connect, type Db } from '../../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../../apps/server/src/database/embedded.ts'
import { migrate } from '../../../apps/server/src/database/migrate.ts'
import { generateApiKey, hashApiKey } from '../../../apps/server/src/features/accounts/api-key.ts'
import { keyCount } from '../peers/peer.ts'

// A PostgreSQL that keeps what it commits (fsync on, as it is by default), and in it the databases of a run. Where only
// plans or contents count, it does not.

export const forgetful = [
  'fsync=off',
  'full_page_writes=off',
  'max_wal_size=4GB',
  'maintenance_work_mem=256MB',
]
/** Of a program that was interrupted. */
const interruptedCode = 130

export type Cluster = Awaited<ReturnType<typeof openCluster>>
export type Database = Awaited<ReturnType<typeof prepareDatabase>>

export async function openCluster(settings: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-bench-'))
  const { connectionString: url, dataDir, release } = await openEmbedded(folder, { settings })
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  let closing: Promise<void> | null = null
  const close = () => (closing ??= release().then(() => rm(folder, { recursive: true, force: true })))
  // The database is in a session of its own: it would outlive a Ctrl-C.
  const interrupt = () => void close().finally(() => process.exit(interruptedCode))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const administer = async <Row>(statement: string) => {
    const db = connect({ connectionString: url, connectionsMax: 1 })
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement)).finally(() => db.destroy())
    return rows
  }
  /** An empty database without our schema, or a copy of another one; answers where it is. */
  const createDatabase = async (name: string, like = 'template1') => {
    await administer(`create database ${name} template ${like}`)
    return Object.assign(new URL(url), { pathname: `/${name}` }).href
  }
  const [found] = await administer<{ server_version: string }>('show server_version')
  return {
    folder,
    /** The process that all of PostgreSQL's descend from. */
    pid: Number.parseInt(pidFile),
    version: found!.server_version.split(' ')[0]!,
    createDatabase,
    dropDatabase: (name: string) => administer(`drop database ${name} with (force)`),
    openDatabase: async (name: string) => prepareDatabase(await createDatabase(name)),
    [Symbol.asyncDispose]: close,
  }
}

/** Fills an empty database with our schema and with callers. */
export async function prepareDatabase(connectionString: string) {
  const db = connect({ connectionString })
  await migrate(db)
  const count = async (from: RawBuilder<number>) => {
    const { rows } = await sql<{ units: number }>`select coalesce(${from}, 0)::int8 as units`.execute(db)
    return rows[0]!.units
  }
  return {
    ...{ connectionString, db },
    /** One key each of as many accounts on the enterprise plan. */
    keys: await createCallers(db),
    /** Units that the service has counted in its ledger so far, and that the peers have counted. */
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
