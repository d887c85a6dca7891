import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { readCellMark } from '../../database/feed-role.ts'
import { UserError } from '../../platform/user-error.ts'
import { setAsideMark } from './elsewhere.ts'

// How far an account is on its way between two cells: a row in each of them. That of the cell that it leaves decides.

export interface Move {
  account_id: string
  move_id: string
  state: 'quiet' | 'leaving' | 'undoing' | 'left' | 'expected' | 'arriving'
  /** The other cell. */
  cell: string
  told: string[]
  new_users: string[]
}

export type Direction = 'out' | 'in'

const columns = ['account_id', 'move_id', 'cell', 'told', 'new_users'] as const

export async function findMove(db: Db, accountId: string, direction: Direction): Promise<Move | undefined> {
  return selectMove(db, accountId, direction).executeTakeFirst()
}

/** The same, and nobody else changes it until the transaction ends. */
export async function lockMove(trx: Trx, accountId: string, direction: Direction): Promise<Move | undefined> {
  return selectMove(trx, accountId, direction).forUpdate().executeTakeFirst()
}

function selectMove(db: Db, accountId: string, direction: Direction) {
  return db
    .selectFrom('account_moves')
    .select(columns)
    .select(sql<Move['state']>`state`.as('state'))
    .where('account_id', '=', accountId)
    .where('direction', '=', direction)
}

/** Notes that an account is about to leave, unless that is noted. */
export async function beginLeaving(
  db: Db,
  { account_id, move_id, cell }: Pick<Move, 'account_id' | 'move_id' | 'cell'>,
): Promise<void> {
  await db
    .insertInto('account_moves')
    .values({ account_id, direction: 'out', move_id, state: 'quiet', cell })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes that an account is to come from another cell; of a move that came to nothing, another one may take the place. */
export async function expectAccount(
  trx: Trx,
  { account_id, move_id, cell }: Pick<Move, 'account_id' | 'move_id' | 'cell'>,
): Promise<void> {
  const values = { move_id, state: 'expected', cell }
  await trx
    .insertInto('account_moves')
    .values({ account_id, direction: 'in', ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'direction']).doUpdateSet(values))
    .execute()
}

/** Notes what goes with the rows of an account that are written in this transaction. */
export async function noteArrival(
  trx: Trx,
  accountId: string,
  { told, new_users }: Pick<Move, 'told' | 'new_users'>,
): Promise<void> {
  await trx
    .updateTable('account_moves')
    .set({ state: 'arriving', told, new_users })
    .where('account_id', '=', accountId)
    .where('direction', '=', 'in')
    .execute()
}

export async function deleteMove(trx: Trx, accountId: string, direction: Direction): Promise<void> {
  await trx
    .deleteFrom('account_moves')
    .where('account_id', '=', accountId)
    .where('direction', '=', direction)
    .execute()
}

/**
 * Goes on from one of these states.
 * @throws UserError when the move is in another one: another command has moved it on
 */
export async function enterState(
  trx: Db,
  { account_id, move_id }: Pick<Move, 'account_id' | 'move_id'>,
  from: readonly Move['state'][],
  state: Move['state'],
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('account_moves')
    .set({ state })
    .where('account_id', '=', account_id)
    .where('move_id', '=', move_id)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new UserError('Another command has gone on with this move, or undone it. Run this one again.')
}

/** From the commit on this database lets no key of the account in, and changes nothing of it. */
export async function stopAccount(trx: Trx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for update`.execute(trx)
  await sql`update accounts set is_stopped = true where id = ${accountId}`.execute(trx)
  await sql`
    update api_keys set hash = ${setAsideMark} || hash where account_id = ${accountId} and length(hash) = 32`.execute(
    trx,
  )
}

/** From the commit on this database serves the account. */
export async function startAccount(trx: Trx, accountId: string): Promise<void> {
  await sql`update accounts set is_stopped = false where id = ${accountId}`.execute(trx)
  await sql`
    update api_keys set hash = substring(hash from 2) where account_id = ${accountId} and length(hash) = 33`.execute(
    trx,
  )
}

/** Whether this database has the account, and serves it; undefined: it has no such account. */
export async function findServed(
  db: Db,
  accountId: string,
): Promise<{ is_stopped: boolean; is_closed: boolean } | undefined> {
  return db
    .selectFrom('accounts')
    .select(['is_stopped', sql<boolean>`deleted_at is not null`.as('is_closed')])
    .where('id', '=', accountId)
    .executeTakeFirst()
}

/** Keeps the way to an account whose rows are about to go, by its keys that still work. */
export async function leaveKeys(trx: Trx, accountId: string): Promise<void> {
  await sql`
    insert into moved_keys (hash, account_id)
    select substring(hash from 2), account_id from api_keys
    where account_id = ${accountId} and (ends_at is null or ends_at > ratecard_now())
    on conflict (hash) do nothing`.execute(trx)
}

/** Of an account that is here again. */
export async function forgetLeft(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('moved_keys').where('account_id', '=', accountId).execute()
  await deleteMove(trx, accountId, 'out')
}

/** What moves call this database: its mark, or home. */
export async function readCellName(db: Db): Promise<string> {
  return (await readCellMark(db)) || 'home'
}

/** Moves that are not at their end, and how many accounts have gone where. */
export interface MoveStatus {
  under_way: {
    account_id: string
    direction: Direction
    state: Move['state']
    cell: string
    begun_at: string
  }[]
  left: { cell: string; accounts: number; keys: number }[]
}

export async function readMoveStatus(db: Db): Promise<MoveStatus> {
  const { rows: underWay } = await sql<MoveStatus['under_way'][number]>`
    select m.account_id, m.direction, m.state, m.cell, m.begun_at from account_moves m
    where m.state <> 'left' or exists (select from accounts a where a.id = m.account_id)
    order by m.begun_at limit 100`.execute(db)
  const { rows: left } = await sql<MoveStatus['left'][number]>`
    select m.cell, count(distinct m.account_id)::int as accounts, count(k.hash)::int as keys
    from account_moves m left join moved_keys k on k.account_id = m.account_id
    where m.state = 'left' group by m.cell order by m.cell`.execute(db)
  return { under_way: underWay, left }
}
