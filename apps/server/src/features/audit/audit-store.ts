import { sql } from 'kysely'
import type { Trx } from '../../database/connect.ts'
import { newId } from '../../platform/ids.ts'
import type { OwnChange } from '../../queue/job-types.ts'
import { tooOften } from '../feature-error.ts'

/** Every action that is recorded. */
export type AuditAction =
  | `key.${'created' | 'renamed' | 'rotated' | 'revoked' | 'expiry_changed'}`
  | `webhook.${'created' | 'updated' | 'secret_rotated' | 'tested' | 'deleted'}`
  | 'delivery.resent'
  | 'deliveries.resent'
  | `account.${'renamed' | 'deleted'}`
  | `member.${'invited' | 'invitation_revoked' | 'joined' | 'role_changed' | 'removed' | 'second_factor_reset'}`
  | `user.${OwnChange}`
  | `billing.${'checkout_started' | 'portal_opened' | 'payment_overdue'}`
  | `billing.pack_${'bought' | 'granted' | 'voided'}`
  | `billing.plan_${'set' | 'started' | 'cancelled' | 'resumed' | 'ended'}`

/** The actor of an action. A key stands for the program that holds it. */
export type Actor = UserActor | { kind: 'key'; keyId: string } | { kind: 'operator' | 'provider' | 'system' }

export interface UserActor {
  kind: 'user'
  userId: string
  email: string
}

/** The actor, and the account of the action. */
export interface Acting {
  accountId: string
  actor: Actor
}

/** An operator at the command line. */
export function asOperator(accountId: string): Acting {
  return { accountId, actor: { kind: 'operator' } }
}

export interface AuditNote extends Acting {
  action: AuditAction
  subjectId: string
  /** Facts for people. Never a key, a secret or a token. */
  details?: Record<string, string>
}

/** Actions that remove something whose making was counted, or were done already: they are never refused. */
const neverRefused: ReadonlySet<AuditAction> = new Set([
  'user.password_changed',
  'user.second_factor_added',
  'user.second_factor_removed',
  'user.recovery_codes_renewed',
  'user.passkey_removed',
  'key.revoked',
  'webhook.deleted',
  'member.removed',
  'member.invitation_revoked',
])
const userActionsADayMax = 1_000

/**
 * Records an action, in the transaction of the action: neither is there without the other.
 * @throws FeatureError too_often when a user has done too much lately
 */
export async function insertAuditEntry(
  trx: Trx,
  { accountId, actor, action, subjectId, details = {} }: AuditNote,
): Promise<void> {
  if (actor.kind === 'user' && !neverRefused.has(action)) await boundActions(trx, accountId, actor.userId)
  await trx
    .insertInto('audit_entries')
    .values({
      id: newId('aud'),
      account_id: accountId,
      actor: actor.kind,
      user_id: actor.kind === 'user' ? actor.userId : null,
      actor_name: nameActor(actor),
      action,
      subject_id: subjectId,
      details: JSON.stringify(details),
    })
    .execute()
}

async function boundActions(trx: Trx, accountId: string, userId: string): Promise<void> {
  const bound = { most: userActionsADayMax, minutes: 1_440 }
  const seconds = await secondsUntilAllowed(trx, accountId, { userId }, bound)
  if (seconds > 0)
    throw tooOften(`You may change ${userActionsADayMax} things of an account in 24 hours.`, seconds)
}

/**
 * Seconds until an action may be taken again on an account, by one of its users or by all of them; 0: now. By the log
 * itself, so over all server processes.
 */
export async function secondsUntilAllowed(
  trx: Trx,
  accountId: string,
  what: { action: AuditAction } | { userId: string },
  { most, minutes }: { most: number; minutes: number },
): Promise<number> {
  const query = trx
    .selectFrom('audit_entries')
    .select(
      sql<number>`ceil(extract(epoch from at + make_interval(mins => ${minutes}) - ratecard_now()))::int`.as(
        'wait',
      ),
    )
    .where('account_id', '=', accountId)
    .where('at', '>', sql<string>`ratecard_now() - make_interval(mins => ${minutes})`)
    .orderBy('at', 'desc')
    .offset(most - 1)
    .limit(1)
  const row = await (
    'action' in what
      ? query.where('action', '=', what.action)
      : query.where('actor', '=', 'user').where('user_id', '=', what.userId)
  ).executeTakeFirst()
  return row === undefined ? 0 : Math.max(1, row.wait)
}

function nameActor(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.email
  return actor.kind === 'key' ? actor.keyId : null
}
