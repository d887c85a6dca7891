import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Cursor } from '../../platform/cursor.ts'
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
  | 'account.deleted'
  | 'member.invited'
  | 'member.invitation_revoked'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'billing.checkout_started'
  | 'billing.pack_bought'
  | 'billing.pack_granted'
  | 'billing.pack_voided'
  | 'billing.plan_set'
  | 'billing.plan_started'
  | 'billing.plan_cancelled'
  | 'billing.plan_resumed'
  | 'billing.plan_ended'

/** Who did it. A key stands for the program that has it. */
export type Actor =
  | { kind: 'user'; userId: string; email: string }
  | { kind: 'key'; keyId: string }
  | { kind: 'operator' | 'provider' | 'system' }

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
      actor_name: nameOf(actor),
      action,
      subject_id: subjectId,
      details: JSON.stringify(details),
    })
    .execute()
}

function nameOf(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.email
  return actor.kind === 'key' ? actor.keyId : null
}

export interface AuditEntry {
  id: string
  at: string
  actor: Actor['kind']
  actor_name: string | null
  action: string
  subject_id: string | null
  details: Record<string, string>
}

/** @param cursor the last entry of the page before; null: from the newest */
export async function listAuditEntries(
  db: Db,
  accountId: string,
  { cursor, limit }: { cursor: Cursor | null; limit: number },
): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['id', utcText('at').as('at'), 'actor', 'actor_name', 'action', 'subject_id', 'details'])
    .where('account_id', '=', accountId)
    .$if(cursor !== null, (query) =>
      query.where(sql<boolean>`(audit_entries.at, id) < (${cursor?.updatedAt}::timestamptz, ${cursor?.id})`),
    )
    .orderBy('audit_entries.at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows as AuditEntry[]
}

/** How often something was done to the account in the last hour. */
export async function countLately(db: Db, accountId: string, action: AuditAction): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('account_id', '=', accountId)
    .where('at', '>', sql<string>`ratecard_now() - interval '1 hour'`)
    .where('action', '=', action)
    .executeTakeFirstOrThrow()
  return count
}
