import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'

// Where an account is that this database does not serve: on its way between two cells, or in another one.

/** The account is on its way: nothing of it may be read or changed for a moment. */
export class AccountStopped extends UserError {
  override name = 'AccountStopped'

  constructor() {
    super(
      'The account is on its way to another cell, and nothing of it changes meanwhile. "ratecard cells status" shows how far it is.',
    )
  }
}

/** Where a key is known that this database does not let in: `cell` is a mark, or home. */
export type Whereabouts = { kind: 'nowhere' } | { kind: 'on its way' } | { kind: 'elsewhere'; cell: string }

/**
 * Asked only when a key was not found. One that is set aside here is not served anywhere, or not here any more. One that
 * works by now was set aside a moment ago: its account has come here meanwhile.
 */
export async function findElsewhere(db: Db, keyHash: Buffer): Promise<Whereabouts> {
  const { rows } = await sql<{ state: string; cell: string }>`
    select m.state, m.cell from api_keys k join account_moves m on m.account_id = k.account_id
    where k.hash = ${setAsideMark}::bytea || ${keyHash}::bytea
    union all
    select m.state, m.cell from moved_keys k join account_moves m on m.account_id = k.account_id
    where k.hash = ${keyHash}::bytea and m.direction = 'out'
    union all
    select 'here', '' from api_keys k
    where k.hash = ${keyHash}::bytea and (k.ends_at is null or k.ends_at > ratecard_now())`.execute(db)
  const [first] = rows
  if (first === undefined) return { kind: 'nowhere' }
  if (rows.some(({ state }) => state !== 'left')) return { kind: 'on its way' }
  return { kind: 'elsewhere', cell: first.cell }
}

/** SQL: what stands before the hash of a key that is set aside. */
export const setAsideMark = sql`'\\x00'::bytea`

/** SQL: whether the account of the row `table` is on its way between two cells: nothing is sent for it meanwhile. */
export const isMoving = (table: string) => sql<boolean>`exists (
  select from account_moves m where m.account_id = ${sql.ref(`${table}.account_id`)}
)`

/** SQL: whether it is this cell's to tell: it is not about to come here, and has not left. */
export const isToldHere = (table: string) => sql<boolean>`not exists (
  select from account_moves m
  where m.account_id = ${sql.ref(`${table}.account_id`)} and (m.direction = 'in' or m.state = 'left')
)`

/** Whether an account is to come here from another cell: what is of no account here may be of that one. */
export async function isAnyExpected(db: Db): Promise<boolean> {
  const { rows } = await sql`select from account_moves where direction = 'in' limit 1`.execute(db)
  return rows.length > 0
}
