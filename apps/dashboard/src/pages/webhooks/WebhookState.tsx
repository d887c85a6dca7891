import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'

/** The state of a subscription. */
export function WebhookState({ of: webhook }: { of: Schemas['Webhook'] }) {
  if (!webhook.active) return <Badge>off</Badge>
  if (webhook.obstacle !== null) return <Badge tone="warn">waiting</Badge>
  if (webhook.last_error !== null) return <Badge tone="bad">failing</Badge>
  if (webhook.last_success_at !== null) return <Badge tone="good">working</Badge>
  return <Badge tone="good">on</Badge>
}
