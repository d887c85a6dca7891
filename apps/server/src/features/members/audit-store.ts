import type { Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'

/** Every action that is written down. */
export type AuditAction =
  | 'key.created'
  | 'key.renamed'
  | 'key.rotated'
  | 'key.revoked'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.tested'
  | 'webhook.deleted'
  | 'delivery.resent'
  | 'account.renamed'
  | 'member.invited'
  | 'member.invitation_revoked'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'billing.checkout_started'
  | 'billing.pack_bought'
  | 'billing.pack_voided'
  | 'billing.plan_started'
  | 'billing.plan_ended'

/** Who did it. */
export type Actor =
  { kind: 'user'; userId: string; email: string } | { kind: 'operator' | 'provider' | 'system' }

export interface AuditNote {
  accountId: string
  actor: Actor
  action: AuditAction
  subjectId: string
  /** Facts for people. Never a key, a secret or a token. */
  details?: Record<string, string>
}

/** Writes an action down, in the transaction of the action: neither is there without the other. */
export async function insertAuditEntry(
  trx: Trx,
  { accountId, actor, action, subjectId, details = {} }: AuditNote,
): Promise<void> {
  await trx
    .insertInto('audit_entries')
    .values({
      id: newId('aud'),
      account_id: accountId,
      actor: actor.kind,
      user_id: actor.kind === 'user' ? actor.userId : null,
      actor_name: actor.kind === 'user' ? actor.email : null,
      action,
      subject_id: subjectId,
      details: JSON.stringify(details),
    })
    .execute()
}
