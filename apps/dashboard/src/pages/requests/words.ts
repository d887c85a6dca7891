import type { Schemas } from '../../../contract/index.ts'

type Query = Schemas['RequestFilter']
export type RequestStatus = NonNullable<Query['status']>
export type RequestOperation = NonNullable<Query['operation']>

export const operations: readonly { value: RequestOperation; label: string }[] = [
  { value: 'listPrices', label: 'GET /v1/prices' },
  { value: 'listChanges', label: 'GET /v1/changes' },
  { value: 'listWebhooks', label: 'GET /v1/webhooks' },
  { value: 'createWebhook', label: 'POST /v1/webhooks' },
  { value: 'deleteWebhook', label: 'DELETE /v1/webhooks/{id}' },
  { value: 'getUsage', label: 'GET /v1/usage' },
]

/** The method of an operation. */
export function formatMethod(operation: string): string {
  return operations.find(({ value }) => value === operation)?.label.split(' ')[0] ?? ''
}

export const statuses: readonly { value: RequestStatus; label: string }[] = [
  { value: 'served', label: 'Served' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
  { value: '400', label: '400: not valid' },
  { value: '401', label: '401: key refused' },
  { value: '402', label: '402: webhook limit' },
  { value: '403', label: '403: not included' },
  { value: '404', label: '404: not found' },
  { value: '429', label: '429: quota used up' },
  { value: '499', label: '499: client left' },
  { value: '503', label: '503: unavailable' },
]

const meanings: Partial<Record<string, string>> = {
  invalid_request: 'not valid',
  unauthorized: 'key has ended',
  webhook_limit_reached: 'webhook limit',
  forbidden: 'not included',
  not_found: 'not found',
  quota_exceeded: 'quota',
  payload_too_large: 'body too large',
  unsupported_media_type: 'not JSON',
  internal_error: 'our fault',
  service_unavailable: 'unavailable',
}

/** What an outcome means, in a few words. */
export function outcomeText({ status, error }: { status: number; error: string | null }): string {
  if (status === 499) return 'client left'
  if (error === null) return 'served'
  return meanings[error] ?? error.replaceAll('_', ' ')
}

/** How good an outcome is for the program that got it. */
export function outcomeTone(status: number): 'good' | 'warn' | 'bad' {
  if (status < 400) return 'good'
  return status < 500 ? 'warn' : 'bad'
}
