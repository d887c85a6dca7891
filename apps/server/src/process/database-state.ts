import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import type { DatabaseState } from '../platform/figures/database.ts'

/** What the database that this process reaches is to it, for figures. */
export function stateOf(db: Db): Promise<DatabaseState> {
  const asked = sql<{ transaction_read_only: 'on' | 'off' }>`show transaction_read_only`.execute(db)
  return asked.then(
    ({ rows: [row] }) => (row?.transaction_read_only === 'off' ? 'writable' : 'read-only'),
    () => 'away',
  )
}
