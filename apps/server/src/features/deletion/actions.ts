import type { Trx } from '../../database/connect.ts'
import { closeAccount, lockAccount, type Account } from '../accounts/account-store.ts'
import { revokeKeysOfAccount } from '../accounts/api-key-store.ts'
import { insertAuditEntry, type UserActor } from '../audit/audit-store.ts'
import { listSubscriptions } from '../entitlements/subscription-store.ts'
import { FeatureError } from '../feature-error.ts'
import { deleteRequestsOf } from '../metering/request-store.ts'
import { removeMember } from '../members/actions.ts'
import { listMembers, listMemberships } from '../members/member-store.ts'
import * as users from '../members/user-store.ts'
import { deleteWebhook, listWebhooks } from '../webhooks/webhook-store.ts'

// What is deleted with an account or a user: docs/decisions/007-deleting-accounts.md. It reaches into all features.

type NamedAccount = Pick<Account, 'id' | 'name'>

/**
 * Deletes an account, as its only owner. One of several leaves instead: no owner takes an account from another.
 * @throws FeatureError owner_only, or conflict
 */
export async function deleteAccount(trx: Trx, actor: UserActor, account: NamedAccount): Promise<void> {
  await lockAccount(trx, account.id)
  const owners = (await listMembers(trx, account.id)).filter(({ role }) => role === 'owner')
  if (!owners.some(({ user_id }) => user_id === actor.userId))
    throw new FeatureError('Only an owner of the account may do this.', { code: 'owner_only' })
  if (owners.length > 1) {
    const fact = 'The account has other owners. Leave it to them, on the page of its members.'
    throw new FeatureError(fact, { code: 'conflict' })
  }
  await endAccount(trx, actor, account)
}

/**
 * Deletes a user, and the accounts that have no other member.
 * @throws FeatureError last_owner, or conflict
 */
export async function deleteUser(trx: Trx, actor: UserActor): Promise<void> {
  const { userId: id, email } = actor
  // In one order: two users who leave the same accounts do not wait for each other in a circle.
  const accounts = (await listMemberships(trx, id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const account of accounts) {
    await lockAccount(trx, account.id)
    const members = await listMembers(trx, account.id)
    const owners = members.filter(({ role }) => role === 'owner')
    const isLastOwner = owners.length === 1 && owners[0]?.user_id === id
    if (isLastOwner && members.length === 1) await endAccount(trx, actor, account)
    else if (isLastOwner) throw otherMembers(account)
    else await removeMember(trx, { accountId: account.id, actor }, id)
  }
  await users.deleteUser(trx, { id, email })
}

function otherMembers({ name }: NamedAccount): FeatureError {
  const fact = `“${name}” has other members and no other owner.`
  return new FeatureError(`${fact} Make one of them an owner, or delete that account first.`, {
    code: 'last_owner',
  })
}

/** The account is locked. */
async function endAccount(trx: Trx, actor: UserActor, { id, name }: NamedAccount): Promise<void> {
  const plans = await listSubscriptions(trx, id)
  if (plans.some(({ current, renews_at }) => current && renews_at !== null)) {
    const fact = `The plan of “${name}” renews.`
    throw new FeatureError(`${fact} End it on the billing page first, or it would go on being paid.`, {
      code: 'conflict',
    })
  }
  await revokeKeysOfAccount(trx, id)
  for (const webhook of await listWebhooks(trx, id)) await deleteWebhook(trx, id, webhook.id)
  await deleteRequestsOf(trx, id)
  await trx.deleteFrom('invitations').where('account_id', '=', id).execute()
  await trx.deleteFrom('members').where('account_id', '=', id).execute()
  await closeAccount(trx, id)
  const details = { name }
  await insertAuditEntry(trx, { accountId: id, actor, action: 'account.deleted', subjectId: id, details })
}
