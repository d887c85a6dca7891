import type { Schemas } from '../../../contract/index.ts'
import { Badge } from '../../components/Badge.tsx'
import { standingOf } from './words.ts'

export function Standing({ of: webhook }: { of: Schemas['Webhook'] }) {
  const { word, tone } = standingOf(webhook)
  return <Badge tone={tone}>{word}</Badge>
}
