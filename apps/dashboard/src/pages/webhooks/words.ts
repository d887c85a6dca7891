import type { Schemas } from '../../../contract/index.ts'
import type { Tone } from '../../components/Badge.tsx'
import { countText } from '../../components/language.ts'

/** States of deliveries, in the order in which they are offered. */
export const deliveryStates: Record<Schemas['DeliveryState'], { word: string; tone?: Tone }> = {
  delivered: { word: 'delivered', tone: 'good' },
  pending: { word: 'pending', tone: 'warn' },
  exhausted: { word: 'given up', tone: 'bad' },
  inactive: { word: 'switched off' },
  not_entitled: { word: 'no plan', tone: 'warn' },
  cancelled: { word: 'cancelled' },
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
  return `${countText(durationMs)}\u00a0ms`
}
