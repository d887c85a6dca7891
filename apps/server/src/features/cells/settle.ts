import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { UserError } from '../../platform/user-error.ts'
import { isAttemptUnderWay } from '../webhooks/attempt-store.ts'

// Before the rows of an account are copied, all that began before its stop has come to its end.

const lookMs = 20
const transactionsMsMax = 20_000
/** Of processes: units that nobody got go back with the next batch, and after one that failed within half a second. */
const giveBackMs = 1_000

/**
 * Waits until the database has ended every transaction that may have begun before this moment: what begins later sees
 * that the account is stopped.
 * @throws UserError when one goes on and on
 */
async function untilTransactionsEnd(db: Db): Promise<void> {
  const before = await listTransactions(db)
  const untilMs = performance.now() + transactionsMsMax
  for (;;) {
    const now = new Set((await listTransactions(db)).map(({ id }) => id))
    const still = before.filter(({ id }) => now.has(id))
    if (still.length === 0) return
    if (performance.now() > untilMs)
      throw new UserError(
        `A transaction has been running for long in this database (process ${still.map(({ pid }) => pid).join(', ')}), and may be about this account. End it, and run this again.`,
      )
    await setTimeout(lookMs)
  }
}

/** Every role may see these locks. A backup writes nothing, and may take hours. */
async function listTransactions(db: Db): Promise<{ id: string; pid: number }[]> {
  const { rows } = await sql<{ id: string; pid: number }>`
    select l.virtualxid as id, l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and a.datname = current_database()
      and a.usesysid is not null and l.pid <> pg_backend_pid()
      and coalesce(a.application_name, '') <> 'ratecard-backup'`.execute(db)
  return rows
}

/** Waits for what was under way when the account was stopped, and for units that are given back because of it. */
export async function settleStopped(db: Db): Promise<void> {
  await untilTransactionsEnd(db)
  await setTimeout(giveBackMs)
  await untilTransactionsEnd(db)
}

/**
 * Waits for attempts that workers have begun. One whose worker was killed is made again by the other cell, as it would
 * have been here: to wait longer than an attempt takes helps nobody.
 */
export async function settleDeliveries(db: Db, accountId: string, attemptMs: number): Promise<void> {
  await untilTransactionsEnd(db)
  for (const untilMs = performance.now() + attemptMs; performance.now() < untilMs; await setTimeout(lookMs)) {
    if (!(await isAttemptUnderWay(db, accountId))) return
  }
}
