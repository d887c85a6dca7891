import type { WebhookEvent } from '@ratecard/contract'
import { changeAlert } from '@ratecard/contract/alert'

/** A subscription that lists one of these gets alerts of changes. */
export const alertedEvents: WebhookEvent[] = [changeAlert, '*']
