import type { Schemas } from '../../../contract/index.ts'

type Tone = 'good' | 'warn' | 'bad' | undefined

/** The state of a subscription in a word. */
export function webhookState(webhook: Schemas['Webhook']): { word: string; tone: Tone } {
  if (!webhook.active) return { word: 'off', tone: undefined }
  if (webhook.obstacle !== null) return { word: 'waiting', tone: 'warn' }
  if (webhook.last_error !== null) return { word: 'failing', tone: 'bad' }
  if (webhook.last_success_at !== null) return { word: 'working', tone: 'good' }
  return { word: 'on', tone: 'good' }
}

/** States of deliveries, in the order in which they are offered. */
export const deliveryStates: Record<Schemas['DeliveryState'], { word: string; tone: Tone }> = {
  delivered: { word: 'delivered', tone: 'good' },
  pending: { word: 'pending', tone: 'warn' },
  exhausted: { word: 'given up', tone: 'bad' },
  inactive: { word: 'switched off', tone: undefined },
  not_entitled: { word: 'no plan', tone: 'warn' },
  cancelled: { word: 'cancelled', tone: undefined },
}

/** Events, in the order in which they are offered. */
export const eventWords: Record<Schemas['WebhookEvent'], string> = {
  'change.alert': 'Changes (change.alert)',
  '*': 'All events, those added in future too',
}

export function eventsInWords(events: readonly Schemas['WebhookEvent'][]): string {
  return events.includes('*') ? eventWords['*'] : events.map((event) => eventWords[event]).join(', ')
}

/** The host of an address, or the address where it has none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

export function milliseconds(durationMs: number): string {
  return `${durationMs.toLocaleString()}\u00a0ms`
}
