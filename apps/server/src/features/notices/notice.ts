import type { DecimalText } from '../../catalog/price-record.ts'

// What people are told of an account by mail. The period of a notice says of what there is one.

/** What a person switches on and off. */
export const noticeKinds = ['quota', 'packs', 'webhooks', 'keys', 'watched'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** What is told, with the facts of it. */
interface NoticeFacts {
  quota_80: QuotaFacts
  quota_used_up: QuotaFacts
  packs_low: { units: number; remaining: number }
  packs_used_up: { units: number; remaining: number }
  packs_ending: { packs: number; remaining: number; ends_at: string }
  webhook_off: WebhookFacts
  webhook_failing: WebhookFacts
  key_expiring: { key_id: string; key_name: string; last_four: string; expires_at: string }
  watched_change: { changes: string[]; total: number }
  watched_digest: { changes: string[]; total: number; day: string }
}
export type NoticeEvent = keyof NoticeFacts

interface QuotaFacts {
  key_id: string
  key_name: string
  last_four: string
  used: number
  limit: number
  /** What packs can pay for when the quota is used up. */
  pack_units: number
}

interface WebhookFacts {
  webhook_id: string
  host: string
  since: string
  /** Such as `http_500: The endpoint answered 500.` */
  error: string
}

export const kindOf: Readonly<Record<NoticeEvent, NoticeKind>> = {
  quota_80: 'quota',
  quota_used_up: 'quota',
  packs_low: 'packs',
  packs_used_up: 'packs',
  packs_ending: 'packs',
  webhook_off: 'webhooks',
  webhook_failing: 'webhooks',
  key_expiring: 'keys',
  watched_change: 'watched',
  watched_digest: 'watched',
}

/** A notice of one event or another, with the facts of that event. */
export type Notice = {
  [Event in NoticeEvent]: {
    id: string
    event: Event
    facts: NoticeFacts[Event]
    account_id: string
    account_name: string
    created_at: string
  }
}[NoticeEvent]

/** A change as a notice tells of it. */
export interface ToldChange {
  id: string
  title: string
  severity: number
  /** Before and after; empty: the plan does not show them. */
  moves: { field: string; before: DecimalText | null; after: DecimalText | null }[]
}

/** Changes that one notice names; of others it says how many there are. */
export const toldChangesMax = 50
