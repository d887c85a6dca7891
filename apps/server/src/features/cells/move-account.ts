import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { readFeedRole } from '../../database/feed-role.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Queue } from '../../queue/queue.ts'
import {
  beginLeaving,
  deleteMove,
  enterState,
  expectAccount,
  findMove,
  findServed,
  forgetLeft,
  leaveKeys,
  lockMove,
  noteArrival,
  readCellName,
  startAccount,
  stopAccount,
  type Move,
} from '../accounts/move-store.ts'
import { matchUsers } from '../members/match-users.ts'
import { forgetMoved, leaveMembers } from '../members/moved-users.ts'
import { deleteUsersWithoutAccount } from '../members/user-store.ts'
import { enqueuePending } from '../webhooks/delivery-store.ts'
import { fanOutAnnounced, fanOutTo, type FanOutOptions } from '../webhooks/fan-out.ts'
import { findMissingKey } from '../webhooks/reseal-secrets.ts'
import type { SecretBox } from '../webhooks/secret-box.ts'
import { readMigration } from './cell.ts'
import { isPublished } from './hub.ts'
import { copyRows, deleteRows } from './move-rows.ts'
import { readFeedAge, whyBehind } from './pulse.ts'
import { settleDeliveries, settleStopped } from './settle.ts'

// An account moves to another cell. The row of its move in the database that it leaves decides who serves it: up to
// `leaving` this one, from `left` on the other one; and each takes it up only where the other has put it down. Each step
// is one transaction in one of the databases, and may be done again: a move that was interrupted goes on, or back.
//
// | step      | here                                   | there                                        | serves       |
// | --------- | -------------------------------------- | -------------------------------------------- | ------------ |
// | expect    |                                        | expected: payments of unknown accounts wait  | here         |
// | quiet     | quiet: no webhook is told              |                                              | here         |
// | stop      | leaving: stopped, keys are set aside   |                                              | nobody       |
// | copy      |                                        | arriving: all rows, stopped                  | nobody       |
// | switch    | left: for good                         |                                              | there        |
// | start     |                                        | started, what it was not told of is queued   | there        |
// | clear     | its rows go, the way to it stays       |                                              | there        |

export interface MoveOptions {
  accountId: string
  /** The mark of the cell that gets it, or home. */
  cell: string
  from: Db
  to: Db
  /** Of the cell that gets it, with the address that links in its alerts begin with. */
  fanOut: FanOutOptions & { queue: Pick<Queue, 'enqueue'> }
  secrets: SecretBox
  /** Longest that a worker takes for an attempt to deliver. */
  attemptMs: number
  say: (text: string) => void
}

export interface Moved {
  account_id: string
  cell: string
  /** Rows by table; null: they had been copied by a command that was interrupted. */
  rows: Record<string, number> | null
  /** How long nobody served it; null: it had been stopped before. */
  stopped_ms: number | null
}

/**
 * Moves an account, or goes on with a move that was interrupted. What fails before the switch is undone.
 * @throws UserError with what stands in the way
 */
export async function moveAccount(options: MoveOptions): Promise<Moved> {
  const { accountId, cell, from, to, say } = options
  const begun = await findMove(from, accountId, 'out')
  if (begun && begun.cell !== cell)
    throw new UserError(
      begun.state === 'left'
        ? `The account is in the cell "${begun.cell}" already. To move it from there, run this there.`
        : `The account is on its way to the cell "${begun.cell}". Finish that, or take it back.`,
    )
  await requireCell(to, cell)
  if (begun?.state === 'undoing')
    throw new UserError('This move was about to be taken back. Finish that first.')
  const result: Moved = { account_id: accountId, cell, rows: null, stopped_ms: null }
  let stoppedMs: number | null = null
  const move = begun ?? { account_id: accountId, move_id: randomUUID(), state: 'quiet', cell }
  if (move.state !== 'left') {
    await requireMovable(options)
    try {
      await expect(to, move, await readCellName(from))
      await beginLeaving(from, move)
      await settleDeliveries(from, accountId, options.attemptMs)
      say('The account is stopped: its requests are answered with 503 until it is in the other cell.')
      stoppedMs = performance.now()
      await stop(from, move)
      await settleStopped(from)
      result.rows = await copy(from, to, move)
      await untilAnnounced(to, accountId)
    } catch (error) {
      await undoMove(options, move.move_id).catch(() =>
        say('And the move could not be taken back yet: it stands where it was.'),
      )
      throw error
    }
    await enterState(from, move, ['leaving'], 'left')
  }
  await start(to, move, options)
  if (stoppedMs !== null) result.stopped_ms = Math.round(performance.now() - stoppedMs)
  await clear(from, move)
  return result
}

/**
 * Takes a move back that has not come to its switch: the account is served where it was.
 * @param moveId that move, and no other one
 * @throws UserError when it is in the other cell already
 */
export async function undoMove(
  { accountId, cell, from, to }: Pick<MoveOptions, 'accountId' | 'from' | 'to' | 'cell'>,
  moveId?: string,
): Promise<void> {
  const move = await findMove(from, accountId, 'out')
  if (moveId !== undefined && move !== undefined && move.move_id !== moveId) return
  await requireCell(to, move?.cell ?? cell)
  if (!move && (await findServed(from, accountId))?.is_stopped !== false)
    throw new UserError(`There is no account "${accountId}" here that could stay.`)
  if (move?.state === 'left')
    throw new UserError(
      `The account is in the cell "${move.cell}" by now. Finish the move; to bring the account back, move it from there.`,
    )
  // From here on no other command can switch.
  if (move) await enterState(from, move, ['quiet', 'leaving', 'undoing'], 'undoing')
  const here = await readCellName(from)
  const known = move?.move_id ?? moveId
  await to.transaction().execute(async (trx) => {
    const there = await lockMove(trx, accountId, 'in')
    if (there?.cell !== here || (known !== undefined && there.move_id !== known)) return
    if (there.state === 'arriving') {
      await deleteRows(trx, accountId)
      await deleteUsersWithoutAccount(trx, there.new_users)
    }
    await deleteMove(trx, accountId, 'in')
  })
  if (!move) return
  await from.transaction().execute(async (trx) => {
    const own = await lockMove(trx, accountId, 'out')
    if (own?.move_id !== move.move_id || own.state !== 'undoing') return
    await startAccount(trx, accountId)
    await deleteMove(trx, accountId, 'out')
  })
}

async function requireCell(to: Db, cell: string): Promise<void> {
  const there = await readCellName(to)
  if (there !== cell)
    throw new UserError(`The other database is "${there}", and the account is to go to "${cell}".`)
}

async function requireMovable({ accountId, cell, from, to, secrets }: MoveOptions): Promise<void> {
  const [here, there] = [await readCellName(from), await readCellName(to)]
  if (here === there) throw new UserError(`This database is "${here}" itself.`)
  const [own, other] = [await readMigration(from), await readMigration(to)]
  if (own !== other)
    throw new UserError(
      `This database has the schema ${own}, and that of the cell "${cell}" ${other}. Migrate both with the same release first.`,
    )
  for (const [db, name] of [
    [from, here],
    [to, there],
  ] as const)
    if ((await readFeedRole(db)) !== 'follows' && !(await isPublished(db)))
      throw new UserError(`"${name}" is no hub and no cell: accounts move between the cells of one hub.`)
  const behind = whyBehind(await readFeedAge(to))
  if (behind !== null) throw new UserError(`The cell "${cell}" cannot take an account now: ${behind}.`)
  const account = await findServed(from, accountId)
  if (!account) throw new UserError(`There is no account "${accountId}" here.`)
  if (account.is_closed) throw new UserError('The account was deleted by its owner. It stays.')
  if (await findMove(from, accountId, 'in'))
    throw new UserError('The account is on its way here. Finish that move first, where it comes from.')
  await requireSameSecrets({ accountId, cell, from, to, secrets })
  await matchUsers(from, to, { accountId, cell })
}

/** Secrets go as they are stored: bound to their rows, under keys that both cells have. */
async function requireSameSecrets({
  accountId,
  cell,
  from,
  to,
  secrets,
}: Pick<MoveOptions, 'accountId' | 'cell' | 'from' | 'to' | 'secrets'>): Promise<void> {
  const missing = (await findMissingKey(from, secrets, accountId)) ?? (await findMissingKey(to, secrets))
  if (missing)
    throw new UserError(
      `SECRETS_KEY lacks the key ${missing.secret_key_id}, under which secrets of the account or of the cell "${cell}" are stored. An account moves between cells with the same SECRETS_KEY: set it to both keys with a comma between, in both cells, and rotate the secrets of both.`,
    )
}

type Moving = Pick<Move, 'account_id' | 'move_id' | 'cell'>

async function expect(to: Db, { account_id, move_id }: Moving, comesFrom: string): Promise<void> {
  await to.transaction().execute(async (trx) => {
    const known = await lockMove(trx, account_id, 'in')
    if (known?.move_id === move_id) return
    if (known?.state === 'arriving' || (await findServed(trx, account_id)) !== undefined)
      throw new UserError('The other cell has rows of this account already.')
    await expectAccount(trx, { account_id, move_id, cell: comesFrom })
  })
}

async function stop(from: Db, move: Moving): Promise<void> {
  await from.transaction().execute(async (trx) => {
    await stopAccount(trx, move.account_id)
    await enterState(trx, move, ['quiet', 'leaving'], 'leaving')
  })
}

/** Announcements that are older were told everywhere, and may be forgotten in one cell and not yet in another. */
const recent = sql`ratecard_now() - interval '1 day'`

/** @returns how many rows, by table; null: they are there already, and nothing has changed here since */
async function copy(from: Db, to: Db, move: Moving): Promise<Record<string, number> | null> {
  const { account_id: accountId, move_id, cell } = move
  return from
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (source) => {
      // Whoever wants to switch or to undo waits until these rows are there.
      const own = await lockMove(source, accountId, 'out')
      if (own?.move_id !== move_id || own.state !== 'leaving')
        throw new UserError('Another command has gone on with this move, or undone it. Run this one again.')
      return to.transaction().execute(async (target) => {
        const there = await lockMove(target, accountId, 'in')
        if (there?.move_id !== move_id) throw new UserError('The other cell does not expect the account.')
        if (there.state === 'arriving') return null
        const { userIds, newUsers } = await matchUsers(source, target, { accountId, cell })
        const { rows: told } = await sql<{ id: string }>`
          select f.announcement_id as id from alert_fanouts f
          join announcements a on a.id = f.announcement_id and a.created_at > ${recent}`.execute(source)
        await noteArrival(target, accountId, { told: told.map(({ id }) => id), new_users: newUsers })
        return copyRows(source, target, accountId, { userIds, newUsers })
      })
    })
}

const announcedMsMax = 20_000

/** What was announced to the account, the other cell has from the hub a moment later. */
async function untilAnnounced(to: Db, accountId: string): Promise<void> {
  const move = await findMove(to, accountId, 'in')
  for (
    const untilMs = performance.now() + announcedMsMax;
    performance.now() < untilMs;
    await setTimeout(50)
  ) {
    const { rows } = await sql`
      select from unnest(${move?.told ?? []}::text[]) told (id)
      where not exists (select from announcements a where a.id = told.id) limit 1`.execute(to)
    if (rows.length === 0) return
  }
  throw new UserError('The other cell is behind the hub, and does not know yet what the account was told.')
}

/** Here it is served from the commit on. Done again it changes nothing. */
async function start(
  to: Db,
  { account_id: accountId, move_id }: Moving,
  { fanOut }: MoveOptions,
): Promise<void> {
  await to.transaction().execute(async (trx) => {
    const move = await lockMove(trx, accountId, 'in')
    if (move?.state !== 'arriving' || move.move_id !== move_id) {
      if ((await findServed(trx, accountId))?.is_stopped === false) return
      throw new UserError('The other cell has not got the account. Is it the right database?')
    }
    // No alert is made meanwhile: each announcement is told to the account by one cell, once.
    await sql`lock table alert_fanouts in share row exclusive mode`.execute(trx)
    for (const id of await listTold(trx, move, 'there alone')) await fanOutAnnounced(trx, id, fanOut)
    const missed = await listTold(trx, move, 'here alone')
    await startAccount(trx, accountId)
    await forgetLeft(trx, accountId)
    await forgetMoved(trx, accountId)
    await deleteMove(trx, accountId, 'in')
    // In this order: new deliveries bring jobs of their own.
    await enqueuePending(trx, fanOut.queue, accountId)
    for (const id of missed) await fanOutTo(trx, accountId, id, fanOut)
  })
}

/** Announcements that one cell has told and the other one has not: the one that it comes from, or this one. */
async function listTold(trx: Trx, { told }: Move, where: 'there alone' | 'here alone'): Promise<string[]> {
  const here = sql<boolean>`exists (select from alert_fanouts f where f.announcement_id = a.id)`
  const there = sql<boolean>`a.id = any(${told}::text[])`
  const { rows } = await sql<{ id: string }>`
    select a.id from announcements a where a.created_at > ${recent}
      and ${where === 'there alone' ? sql`${there} and not ${here}` : sql`${here} and not ${there}`}
    order by a.created_at, a.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Nobody serves these rows any more. Those of an account that is on its way back are others. */
async function clear(from: Db, { account_id: accountId, move_id }: Moving): Promise<void> {
  await from.transaction().execute(async (trx) => {
    const own = await lockMove(trx, accountId, 'out')
    if (own?.move_id !== move_id || own.state !== 'left' || (await findMove(trx, accountId, 'in'))) return
    if (!(await findServed(trx, accountId))?.is_stopped) return
    // Alerts that are being made may be for the account still; those that are made after these are not.
    await sql`lock table alert_fanouts in share row exclusive mode`.execute(trx)
    await leaveKeys(trx, accountId)
    await leaveMembers(trx, accountId)
    await deleteRows(trx, accountId)
  })
}
