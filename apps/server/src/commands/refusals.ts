import type { FeatureError, Refusal, Thing } from '../features/feature-error.ts'

// What a feature refuses, with the command that helps the operator.

/** Which command lists what was not found. */
const lists: Partial<Record<Thing, string>> = {
  account: '"ratecard accounts list" shows them all.',
  key: '"ratecard keys list --account ID" shows an account\'s keys.',
  webhook: '"ratecard webhooks list --account ID" shows those of an account.',
  delivery: '"ratecard deliveries list" shows the latest.',
  change: '"ratecard changes list" shows the latest.',
  subscription: '"ratecard subscriptions list --account ID" shows what it has.',
  hold: '"ratecard feed review" lists them.',
  report: '"ratecard feed review reports" lists them.',
}

const remedies: Partial<Record<Refusal['code'], string>> = {
  key_limit_reached:
    'Revoke one ("ratecard keys revoke KEY_ID"), or rotate one ("ratecard keys rotate KEY_ID").',
  key_not_active: 'Make a new one: "ratecard keys create --account ID".',
  webhook_limit_reached: 'Delete one, or set a larger plan.',
}

export function refusalText({ message, refusal }: FeatureError): string {
  return [message, findRemedy(refusal)].filter(Boolean).join(' ')
}

function findRemedy(refusal: Refusal): string | undefined {
  if (refusal.code === 'not_found') return lists[refusal.what]
  if (refusal.code === 'invalid_period')
    return refusal.what === 'pack'
      ? 'Give a later --expires-at.'
      : 'Give an --until that is later than --from.'
  return remedies[refusal.code]
}
