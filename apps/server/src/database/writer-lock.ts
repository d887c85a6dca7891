import { sql } from 'kysely'
import { UserError } from '../platform/user-error.ts'
import type { Trx } from './connect.ts'
import { readFeedRole, refusedInCell } from './feed-role.ts'

/** Lists whose `updated_at` is a promise to pollers, each with the number of its advisory lock. */
const lists = { prices: 7_310_001, changes: 7_310_002 } as const

/**
 * Makes this transaction the only writer of a list until it ends, and returns the instant from which its rows count up,
 * a microsecond each. Since the next writer waits for the commit and starts later than any row there is, `updated_at`
 * grows in the order of commits: a client that polls with `since` never misses a late one.
 * @throws UserError in a cell
 */
export async function lockList(trx: Trx, list: keyof typeof lists): Promise<string> {
  if ((await readFeedRole(trx)) !== 'own') throw new UserError(refusedInCell)
  await sql`select pg_advisory_xact_lock(${sql.lit(lists[list])})`.execute(trx)
  const { rows } = await sql<{ first: string }>`
    select greatest(clock_timestamp(), max(updated_at) + interval '1 microsecond')::text as first
    from ${sql.table(list)}`.execute(trx)
  const first = rows[0]?.first
  if (first === undefined) throw new Error(`No first instant for ${list}.`)
  return first
}
