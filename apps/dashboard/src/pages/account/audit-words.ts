import type { Schemas } from '../../../contract/index.ts'

const actions: Partial<Record<string, string>> = {
  'key.created': 'Key created',
  'key.renamed': 'Key renamed',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
  'key.expiry_changed': 'Expiry of a key changed',
  'webhook.created': 'Webhook added',
  'webhook.updated': 'Webhook changed',
  'webhook.secret_rotated': 'Webhook secret rotated',
  'webhook.tested': 'Webhook tested',
  'webhook.deleted': 'Webhook deleted',
  'delivery.resent': 'Delivery sent again',
  'deliveries.resent': 'Failed deliveries sent again',
  'account.renamed': 'Account renamed',
  'account.deleted': 'Account deleted',
  'member.invited': 'Member invited',
  'member.invitation_revoked': 'Invitation taken back',
  'member.joined': 'Member joined',
  'member.role_changed': 'Role changed',
  'member.removed': 'Member removed',
  'member.second_factor_reset': 'Second factor of a member removed',
  'billing.checkout_started': 'Checkout begun',
  'billing.pack_bought': 'Pack bought',
  'billing.pack_granted': 'Pack granted',
  'billing.pack_voided': 'Pack voided',
  'billing.plan_set': 'Plan set',
  'billing.plan_started': 'Plan begun',
  'billing.portal_opened': 'Opened the payment page',
  'billing.plan_cancelled': 'Plan will not renew',
  'billing.payment_overdue': 'Payment of the plan failed',
  'billing.plan_resumed': 'Plan renews again',
  'billing.plan_ended': 'Plan ended',
}

/** The action in words. An action that this page does not know yet keeps its name. */
export function actionText(action: string): string {
  return actions[action] ?? action
}

const actors: Record<Schemas['AuditEntry']['actor'], string> = {
  user: 'somebody',
  key: 'a key',
  operator: 'the operator',
  provider: 'the payment provider',
  system: 'the service itself',
}

export function actorText({ actor, actor_name }: Schemas['AuditEntry']): string {
  if (actor === 'key' && actor_name !== null) return `the key ${actor_name}`
  return actor_name ?? actors[actor]
}
