import { formatNumber } from '@ratecard/contract/wording'
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
  'member.invitation_revoked': 'Invitation revoked',
  'member.joined': 'Member joined',
  'member.role_changed': 'Role changed',
  'member.removed': 'Member removed',
  'member.second_factor_reset': 'Second factor of a member removed',
  'user.password_changed': 'Password of a member changed',
  'user.second_factor_added': 'Second factor of a member turned on',
  'user.second_factor_removed': 'Second factor of a member turned off',
  'user.recovery_codes_renewed': 'Recovery codes of a member renewed',
  'user.passkey_added': 'Passkey of a member added',
  'user.passkey_removed': 'Passkey of a member removed',
  'billing.checkout_started': 'Checkout started',
  'billing.pack_bought': 'Pack bought',
  'billing.pack_granted': 'Pack granted',
  'billing.pack_voided': 'Pack voided',
  'billing.plan_set': 'Plan set',
  'billing.plan_started': 'Plan started',
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

/** What entries can be filtered by: the first part of an action. */
export const kinds = [
  { value: 'key', label: 'Keys' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'delivery', label: 'Deliveries' },
  { value: 'member', label: 'Members' },
  { value: 'user', label: 'Signing in' },
  { value: 'billing', label: 'Billing' },
  { value: 'account', label: 'Account' },
] as const

/** In this order: the details that name a thing. */
const naming = ['name', 'email', 'host', 'plan', 'to']

/** What people call the thing that something was done to; null: it has an identifier alone. */
export function subjectText({ action, subject_id, details }: Schemas['AuditEntry']): string | null {
  const named = naming.flatMap((name) => details.filter((detail) => detail.name === name))[0]
  if (named) return named.value
  if (action.startsWith('billing.plan')) return subject_id
  const requests = details.find(({ name }) => name === 'requests')
  return requests ? `${formatNumber(Number(requests.value))} requests` : null
}

/** Labels of details whose own names say too little; null: only the file has the detail. */
const labels: Readonly<Record<string, string | null>> = {
  grace_seconds: 'the old one works on for',
  expires_at: 'until',
  from: 'before:',
  role: 'as',
  new_key: null,
  requests: null,
}

/** The other details, in words. */
export function describeDetails(entry: Schemas['AuditEntry']): { label: string; value: string }[] {
  const subject = subjectText(entry)
  return entry.details.flatMap(({ name, value }) => {
    if (value === subject) return []
    const label = Object.hasOwn(labels, name) ? labels[name] : `${name.replaceAll('_', ' ')}:`
    if (label == null) return []
    return [{ label, value: name === 'grace_seconds' ? durationText(Number(value)) : value }]
  })
}

/** "1 h", "30 min", "90 s". */
function durationText(seconds: number): string {
  if (seconds === 0) return 'no time'
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
