import { closeAccount as close } from '../../features/accounts/account-store.ts'
import { revokeKeysOfAccount } from '../../features/accounts/api-key-store.ts'
import { listSubscriptions } from '../../features/entitlements/subscription-store.ts'
import { insertAuditEntry } from '../../features/members/audit-store.ts'
import { deleteInvitationsOf } from '../../features/members/invitation-store.ts'
import { deleteMembersOf } from '../../features/members/member-store.ts'
import { deleteWebhook, listWebhooks } from '../../features/webhooks/webhook-store.ts'
import type { Trx } from '../../database/connect.ts'
import { DashboardError } from './errors.ts'
import { actorOf, type Person } from './member.ts'

/**
 * Ends an account for good: docs/decisions/007-deleting-accounts.md. The caller has locked it.
 * @throws DashboardError conflict while a plan renews
 */
export async function closeAccount(
  trx: Trx,
  { id, name }: { id: string; name: string },
  person: Pick<Person, 'user'>,
): Promise<void> {
  const plans = await listSubscriptions(trx, id)
  if (plans.some(({ current, renews_at }) => current && renews_at !== null)) {
    throw new DashboardError('conflict', {
      message: `The plan of “${name}” renews. End it on the billing page first, or it would go on being paid.`,
    })
  }
  await revokeKeysOfAccount(trx, id)
  for (const webhook of await listWebhooks(trx, id)) await deleteWebhook(trx, id, webhook.id)
  await deleteInvitationsOf(trx, id)
  await deleteMembersOf(trx, id)
  await close(trx, id)
  await insertAuditEntry(trx, {
    accountId: id,
    actor: actorOf(person),
    action: 'account.deleted',
    subjectId: id,
    details: { name },
  })
}
