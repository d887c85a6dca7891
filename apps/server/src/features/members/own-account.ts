import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { FeatureError } from '../feature-error.ts'
import { insertAccount } from '../accounts/account-store.ts'
import { insertMember, type Membership } from './member-store.ts'

// Each account has a free quota of its own, and goes on working when whoever made it has left it to somebody else.
const accountsADayMax = 2
const accountsMax = 5

/**
 * Makes an account that the user owns, on the free plan. Two requests of a user count each other: the user's row is
 * locked.
 * @throws FeatureError too_many_accounts
 */
export async function insertOwnAccount(
  trx: Trx,
  { userId, name }: { userId: string; name: string },
): Promise<Membership> {
  await trx.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().execute()
  const made = await trx
    .selectFrom('accounts')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('all'))
    .select(
      sql<number>`count(*) filter (where created_at > ratecard_now() - interval '1 day')::int`.as('today'),
    )
    .where('made_by', '=', userId)
    .executeTakeFirstOrThrow()
  if (made.all >= accountsMax || made.today >= accountsADayMax) {
    const rule = `Nobody makes more than ${accountsADayMax} accounts a day, and ${accountsMax} in all.`
    throw new FeatureError(`${rule} Ask the owner of one that you made to invite you.`, {
      code: 'too_many_accounts',
    })
  }
  const { id } = await insertAccount(trx, name, { madeBy: userId })
  await insertMember(trx, { accountId: id, userId, role: 'owner' })
  return { id, name, role: 'owner' }
}
