import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect, type Db } from '../../src/database/connect.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { parseChanges } from '../../src/features/changes/change-input.ts'
import { createBodyCheck } from '../../src/features/webhooks/alert-schema.ts'
import { publishWithAlerts } from '../../src/features/webhooks/publish-alerts.ts'
import { createSecretBox } from '../../src/features/webhooks/secret-box.ts'
import { insertWebhook } from '../../src/features/webhooks/webhook-store.ts'
import { loadContract } from '../../src/platform/contract.ts'
import { authorityFile } from './certificates.ts'
import { changeFile } from './fixtures.ts'

// PostgreSQL servers of their own that can be a hub and cells: each may die alone.

const marks = ['a1', 'B1'] as const
export type CellName = 'home' | (typeof marks)[number]

/** The hub, whose keys have no mark, and two cells. */
export const hubAndCells = { marks, names: ['home', ...marks] as const satisfies readonly CellName[] }

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

/** What its servers, workers and commands need. Alerts go to endpoints of this machine. */
export function cellEnvironment(
  { url, secretsKey }: { url: string; secretsKey: string },
  cell: { mark: string; hubUrl: string } | null,
) {
  return {
    DATABASE_URL: url,
    SECRETS_KEY: secretsKey,
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_CA_FILE: authorityFile,
    ...(cell && { CELL_MARK: cell.mark, CELL_HUB_URL: cell.hubUrl }),
  }
}

/** For `cells routes`: where these cells serve, by their marks. */
export function cellPlaces(servers: Record<string, { url: string; adminUrl: string }>): string[] {
  return Object.entries(servers).flatMap(([mark, { url, adminUrl }]) => {
    return ['--cell', `${mark}=${new URL(url).host}/${new URL(adminUrl).port}`]
  })
}

/** Publishes a change at a hub that has no subscriber of its own. */
export async function publishAtHub(hub: Db, title: string): Promise<void> {
  contract ??= loadContract()
  const check = createBodyCheck((await contract).document)
  const alerts = { queue: { enqueue: () => Promise.resolve() }, publicUrl: 'http://hub.example', check }
  const changes = parseChanges([changeFile({ title })])
  await hub.transaction().execute((trx) => publishWithAlerts(trx, changes, { alerts }))
}
let contract: ReturnType<typeof loadContract> | undefined

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

/** An endpoint of the account that is told every change. */
export async function insertEndpoint(
  db: Db,
  accountId: string,
  { url, secret, secretsKey }: { url: string; secret: string; secretsKey: string },
): Promise<{ id: string }> {
  const secrets = createSecretBox([secretsKey])
  return db
    .transaction()
    .execute((trx) => insertWebhook(trx, accountId, { url, secret, events: ['change.alert'] }, secrets))
}
