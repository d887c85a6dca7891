import type { ChangeAlertEvent, WebhookEvent } from '@ratecard/contract'

/** The event that a delivery tells of, as its body names it. */
export const changeAlert: ChangeAlertEvent = 'change.alert'

/** A subscription that lists one of these gets alerts of changes. */
export const alertedEvents: WebhookEvent[] = [changeAlert, '*']
