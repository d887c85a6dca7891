import type { AlertEvent } from '@ratecard/contract'
import { alertEvents } from '@ratecard/contract/alert'
import { contractCheck } from '../../platform/contract-schemas.ts'

/** Says what is wrong with an event's body by the contract's `webhooks` section, or null. */
export type BodyCheck = (event: AlertEvent, body: unknown) => string | null

/** @param document the contract */
export function createBodyCheck(document: object): BodyCheck {
  const checks = new Map(
    Object.entries(alertEvents).map(([event, { webhook }]) => {
      const request = ['webhooks', webhook, 'post', 'requestBody']
      return [event, contractCheck(document, [...request, 'content', 'application/json', 'schema'])]
    }),
  )
  return (event, body) => checks.get(event)!(body)
}
