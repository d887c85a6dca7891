import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect, type Db } from '../../src/database/connect.ts'
import { openEmbedded } from '../../src/database/embedded.ts'

// PostgreSQL servers of their own that can be a hub and cells: each may die alone.

export interface CellDatabase {
  url: string
  /** As the owner of the schema. */
  ownerUrl: string
  db: Db
  /** Ends it as a power cut would. */
  kill: () => Promise<void>
  /** Starts it again. */
  revive: () => Promise<void>
}

const settings = [
  ...['wal_level=logical', 'max_wal_senders=20', 'max_replication_slots=20', 'max_worker_processes=20'],
  // What is lost is asked for again soon.
  ...['wal_retrieve_retry_interval=200ms', 'max_sync_workers_per_subscription=4'],
  ...['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB'],
]

export async function openCellDatabase(
  atEnd: (end: () => Promise<void>) => void,
  more: readonly string[] = [],
): Promise<CellDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-cell-'))
  const open = () => openEmbedded(folder, { settings: [...settings, ...more] })
  // A port that was free a moment ago may be taken.
  const postgres = await open().catch(open)
  const url = postgres.connectionString
  const db = connect({ connectionString: url, onIdleError: () => undefined })
  atEnd(async () => {
    await db.destroy()
    await postgres.release()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return {
    url,
    ownerUrl: postgres.roles.owner,
    db,
    async kill() {
      const text = await readFile(join(postgres.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
      const pid = Number.parseInt(text)
      process.kill(pid, 'SIGQUIT')
      while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    revive: () => postgres.revive(),
  }
}

/** What a subscription was told, in the order of its changes. */
export async function deliveriesOf(db: Db, webhookId: string): Promise<{ title: string; state: string }[]> {
  const { rows } = await sql<{ title: string; state: string }>`
    select c.title, d.state from deliveries d join alerts a on a.id = d.alert_id
    join changes c on c.id = a.change_ids[1] where d.webhook_id = ${webhookId} order by c.updated_at`.execute(
    db,
  )
  return rows
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
