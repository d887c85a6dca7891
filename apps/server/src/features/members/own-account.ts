import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { insertAccount } from '../accounts/account-store.ts'
import { insertMember, type Membership } from './member-store.ts'

// Each account has a free quota of its own, and stays in use when its founder has left it to other members.
export const accountsADayMax = 2
export const accountsMax = 5

/**
 * Makes an account that the user owns, on the free plan; `limit_reached` when the user has made too many. The user's
 * row is locked: concurrent requests of a user count each other.
 */
export async function insertOwnAccount(
  trx: Trx,
  { userId, name }: { userId: string; name: string },
): Promise<Membership | 'limit_reached'> {
  await trx.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().execute()
  const made = await trx
    .selectFrom('accounts')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('all'))
    .select(
      sql<number>`count(*) filter (where created_at > ratecard_now() - interval '1 day')::int`.as('today'),
    )
    .where('made_by', '=', userId)
    .executeTakeFirstOrThrow()
  if (made.all >= accountsMax || made.today >= accountsADayMax) return 'limit_reached'
  const { id } = await insertAccount(trx, name, { madeBy: userId })
  await insertMember(trx, { accountId: id, userId, role: 'owner' })
  return { id, name, role: 'owner' }
}
