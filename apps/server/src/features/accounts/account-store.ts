import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../feature-error.ts'
import { AccountStopped } from './elsewhere.ts'

export interface Account {
  id: string
  name: string
  created_at: string
}

const columns = ['id', 'name', utcText('created_at').as('created_at')] as const

/** @param madeBy the user who makes it; null: an operator */
export async function insertAccount(
  db: Db,
  name: string,
  { madeBy = null }: { madeBy?: string | null } = {},
): Promise<Account> {
  return db
    .insertInto('accounts')
    .values({ id: newId('acct'), name, made_by: madeBy })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function listAccounts(db: Db): Promise<Account[]> {
  return db.selectFrom('accounts').select(columns).orderBy('accounts.created_at').orderBy('id').execute()
}

/** @throws FeatureError not_found */
export async function getAccount(db: Db, id: string): Promise<Account> {
  const account = await db.selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound('account', id)
  return account
}

export async function renameAccount(trx: Trx, id: string, name: string): Promise<void> {
  await trx.updateTable('accounts').set({ name }).where('id', '=', id).execute()
}

/**
 * Keeps others from changing what this account may have (keys, webhooks, packs) until the transaction ends.
 * @throws AccountStopped while it moves to another cell
 */
export async function lockAccount(trx: Trx, id: string): Promise<void> {
  // A column of the row itself: who has waited for the row sees what the mover has written into it.
  const account = await trx
    .selectFrom('accounts')
    .select('is_stopped')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (account?.is_stopped) throw new AccountStopped()
}

/** Rows to which the ledger and the audit log refer stay. */
export async function closeAccount(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ name: 'Deleted account', deleted_at: sql<string>`ratecard_now()` })
    .where('id', '=', id)
    .execute()
}
