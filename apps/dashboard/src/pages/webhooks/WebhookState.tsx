import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { webhookState } from './words.ts'

export function WebhookState({ of: webhook }: { of: Schemas['Webhook'] }) {
  const { word, tone } = webhookState(webhook)
  return <Badge tone={tone}>{word}</Badge>
}
