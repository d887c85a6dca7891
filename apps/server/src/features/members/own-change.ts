import type { Trx } from '../../database/connect.ts'
import type { OwnChange } from '../../queue/job-types.ts'
import { insertAuditEntry, type UserActor } from '../audit/audit-store.ts'
import { requestMail, type MailQueue } from './mail-queue.ts'
import { listMemberships } from './member-store.ts'

export type { OwnChange }

/**
 * Tells of a change of what proves who a user is, which a thief would make as well: a mail, which nobody can unsubscribe
 * from, and an entry in the audit log of each of the user's accounts.
 */
export async function tellOwnChange(
  trx: Trx,
  queue: MailQueue,
  actor: UserActor,
  change: OwnChange,
  now: Date,
): Promise<void> {
  const { userId: subjectId, email } = actor
  for (const { id: accountId } of await listMemberships(trx, subjectId))
    await insertAuditEntry(trx, { accountId, actor, action: `user.${change}`, subjectId, details: { email } })
  await requestMail(trx, queue, { kind: 'own-change', change, email }, { now })
}
