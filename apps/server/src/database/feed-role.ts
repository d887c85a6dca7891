import { sql } from 'kysely'
import type { Db } from './connect.ts'

// Whose prices and changes a database has. Alone, or as a hub, it writes its own; as a cell it has those of its hub, which
// PostgreSQL's logical replication brings, and writes none. What stands in `settings` says so: not the environment, which
// differs from process to process.

/**
 * - `own`: it writes them.
 * - `joining`: it is about to become a cell, and its rows are not whole yet.
 * - `follows`: it is a cell.
 */
export type FeedRole = 'own' | 'joining' | 'follows'

export async function readFeedRole(db: Db): Promise<FeedRole> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'feed').executeTakeFirst()
  return row?.value === 'joining' || row?.value === 'follows' ? row.value : 'own'
}

/** SQL: whether this database follows a hub. */
export const follows = sql<boolean>`exists (
  select from settings where name = 'feed' and value = 'follows'
)`

/** Why a cell writes no price and no change. */
export const refusedInCell =
  'This database is a cell: its prices and changes are those of its hub. Do this at the hub, and every cell has it a moment later.'

/** The characters that begin the random part of this database's keys, by which a proxy finds it; empty: none. */
export async function readCellMark(db: Db): Promise<string> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'cell_mark')
    .executeTakeFirst()
  return row?.value ?? ''
}
