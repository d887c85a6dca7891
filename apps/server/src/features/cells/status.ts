import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { readCellMark, readFeedRole } from '../../database/feed-role.ts'
import { findSubscription, readCopyState, readMigration } from './cell.ts'
import { isPublished, listSlots, unpublishedTables, type Slot } from './hub.ts'
import { readMoveStatus, type MoveStatus } from '../accounts/move-store.ts'
import { readFeedAge } from './pulse.ts'

// Where a database stands among cells: facts alone.

/** The versions of the lists that are served. They are compared, and say nothing else. */
interface FeedVersions {
  migration: string
  prices: number
  changes: number
}

export interface HubStatus {
  role: 'hub'
  mark: string | null
  migration: string
  unpublished_tables: string[]
  cells: Slot[]
  moves: MoveStatus
}

export interface CellStatus {
  role: 'cell' | 'joining'
  mark: string
  /** Null: nothing has come from the hub yet. */
  feed_age_seconds: number | null
  here: FeedVersions
  /** Null: it was not asked, or did not answer. */
  hub: FeedVersions | null
  /** Null: there is none. */
  subscription: {
    name: string
    enabled: boolean
    /** Whether it receives now. */
    connected: boolean
    /** Rows that could not be applied, and tables that could not be copied, each time that it was tried. */
    errors: number
    tables_ready: number
    tables: number
  } | null
  /** What stands at the hub; null: it is not known, or there is none. */
  slot: Slot | null
  moves: MoveStatus
}

export async function readCellStatus(db: Db, hub: Db | null): Promise<HubStatus | CellStatus | null> {
  const role = await readFeedRole(db)
  const mark = await readCellMark(db)
  if (role === 'own') {
    if (!(await isPublished(db))) return null
    return {
      role: 'hub',
      mark: mark === '' ? null : mark,
      migration: await readMigration(db),
      unpublished_tables: await unpublishedTables(db),
      cells: await listSlots(db),
      moves: await readMoveStatus(db),
    }
  }
  const subscription = await findSubscription(db)
  const { ready, all, errors } = await readCopyState(db)
  return {
    role: role === 'follows' ? 'cell' : 'joining',
    mark,
    feed_age_seconds: (await readFeedAge(db))?.seconds ?? null,
    here: await readVersions(db),
    hub: hub && (await readVersions(hub)),
    subscription: subscription && {
      ...subscription,
      connected: await isConnected(db, subscription.name),
      errors,
      tables_ready: ready,
      tables: all,
    },
    slot:
      (hub && subscription && (await listSlots(hub)).find(({ name }) => name === subscription.name)) ?? null,
    moves: await readMoveStatus(db),
  }
}

async function readVersions(db: Db): Promise<FeedVersions> {
  const { rows } = await sql<{ list: 'prices' | 'changes'; version: number }>`
    select list, abs(version) as version from list_versions`.execute(db)
  const find = (name: string) => rows.find(({ list }) => list === name)?.version ?? 0
  return { migration: await readMigration(db), prices: find('prices'), changes: find('changes') }
}

async function isConnected(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_subscription where subname = ${name} and relid is null and pid is not null and received_lsn is not null`.execute(
    db,
  )
  return rows.length > 0
}
