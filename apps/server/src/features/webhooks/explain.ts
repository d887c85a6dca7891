import { formatFilter } from '@ratecard/contract/wording'
import { eventsAbout, listEvents } from '@ratecard/contract/alert'
import type { DeliveryState } from './delivery-store.ts'
import { buildMatcher, type FilteredChange } from './filter.ts'
import type { WebhookRecord } from './webhook-store.ts'

// Whether alerts are sent, and why not: rules of a record, for the account's pages and for the operator.

export interface Check {
  id: 'category' | 'event' | 'filter' | 'active' | 'entitled'
  holds: boolean
  detail: string
}

type Subscription = Pick<WebhookRecord, 'events' | 'filter' | 'active' | 'entitled'>

/** The conditions for sending an alert of a change to a subscription now, in the order in which they are checked. */
export function checkAlert(
  { events, filter, active, entitled }: Subscription,
  { category, ...change }: FilteredChange & { category: string },
): Check[] {
  const about = eventsAbout(category)
  const isAlerted = about.length > 0
  return [
    {
      id: 'category',
      holds: isAlerted,
      detail: isAlerted ? `${category} is alerted` : `${category} is never alerted`,
    },
    {
      id: 'event',
      // Nothing to list where nothing is alerted.
      holds: !isAlerted || listEvents(events).some((event) => about.includes(event)),
      detail: `the subscription lists ${events.join(', ')}`,
    },
    {
      id: 'filter',
      holds: buildMatcher(filter)(change),
      detail: `the filter is ${formatFilter(filter) ?? 'empty'}; the change is of vendor ${change.vendor}, product ${change.product}, severity ${change.severity}`,
    },
    {
      id: 'active',
      holds: active,
      detail: active ? 'the subscription is active' : 'the subscription is switched off',
    },
    {
      id: 'entitled',
      holds: entitled,
      detail: entitled ? 'the account has a current paid plan' : 'the account has no current paid plan',
    },
  ]
}

/** Why no alert would be sent to a subscription now, and what to do; null: alerts are sent. */
export function findObstacle({
  active,
  entitled,
}: Pick<WebhookRecord, 'active' | 'entitled'>): string | null {
  if (!active) return 'It is switched off. Mend the endpoint if it failed, then switch it on.'
  if (entitled) return null
  return 'The account has no current paid plan, and alerts come with one. Upgrade to receive them.'
}

/** Explains a delivery's state where it is not plain, with what to do; null: it arrived, or is about to be tried. */
export function adviceOn(state: DeliveryState, attempts: number): string | null {
  if (state === 'delivered') return null
  if (state === 'pending')
    return attempts === 0 ? null : 'It is tried again by itself. Mend the endpoint until then.'
  return {
    exhausted: `Given up after ${attempts} attempts. Mend the endpoint, then send it again.`,
    not_entitled: 'The account had no current paid plan when it was due. Upgrade, then send it again.',
    inactive: 'The subscription was switched off when it was due. Switch it on, then send it again.',
    cancelled: 'The subscription was deleted before it arrived.',
  }[state]
}
