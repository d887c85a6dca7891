import { formatFilter, formatNumber } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import type { Tone } from '../../components/Badge.tsx'

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

/** What a webhook is called: its name, else its address without what may be secret in it. */
export function webhookName({ name, url }: { name: string | null; url: string }): string {
  if (name !== null) return name
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.host + parsed.pathname.replace(/\/$/, '')
}

type Filter = Schemas['WholeFilter']

export const noFilter: Filter = { vendors: [], products: [], min_severity: 1 }

/** A filter in words. */
export function filterWords(filter: Filter): string {
  const words = formatFilter(filter)
  return words === null ? 'All changes' : `Only ${words}`
}

/** What a delivery tells of, in a line: the first title, and how many more there are. */
export function deliveryTitle({ titles, change_ids }: Pick<Schemas['Delivery'], 'titles' | 'change_ids'>) {
  return formatTitle(titles[0] ?? change_ids[0] ?? '', change_ids.length)
}

export function formatTitle(first: string, count: number): string {
  return count > 1 ? `${first} and ${formatNumber(count - 1)} more` : first
}

export function milliseconds(durationMs: number): string {
  return `${formatNumber(durationMs)}\u00a0ms`
}
