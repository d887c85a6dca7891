import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../contract/index.ts'
import { useActionOn } from './actions.ts'
import { call, callData } from './client.ts'
import { inPages } from './pages.ts'
import { queryClient } from './query-client.ts'

const webhooksKey = ['webhooks']
const deliveriesKey = ['deliveries']

// A delivery that is due soon is polled every second. A delivery that is due in hours is not.
const soonMs = 60_000
const refetchSoonMs = 1_000
const refetchMs = 5_000

/** The subscriptions of the account, oldest first, page by page. */
export function useWebhooks() {
  return useInfiniteQuery({
    ...inPages(webhooksKey, (cursor) => call('GET /webhooks', { query: { limit: 100, ...cursor } })),
    refetchInterval: refetchMs,
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...webhooksKey, id],
    queryFn: () => callData('GET /webhooks/{id}', { path: { id } }),
    refetchInterval: refetchMs,
  })
}

/** The problem of an address while the user types it; null while the server has not been asked. */
export function useUrlProblem(url: string | null) {
  return useQuery({
    queryKey: ['webhook-url', url],
    queryFn: () => callData('POST /webhook-url', { body: { url: url ?? '' } }),
    enabled: url !== null,
    staleTime: Infinity,
  })
}

export function useCreateWebhook() {
  return useActionOn(webhooksKey, (body: Schemas['WebhookInput']) => callData('POST /webhooks', { body }))
}

export function useUpdateWebhook(id: string) {
  return useActionOn(webhooksKey, (body: Schemas['WebhookPatch']) =>
    callData('PATCH /webhooks/{id}', { path: { id }, body }),
  )
}

export function useRotateSecret(id: string) {
  return useActionOn(webhooksKey, (body: Schemas['WebhookSecretInput']) =>
    callData('POST /webhooks/{id}/secret', { path: { id }, body }),
  )
}

export function useDeleteWebhook(id: string) {
  return useMutation({
    mutationFn: () => call('DELETE /webhooks/{id}', { path: { id } }),
    // The deleted webhook is not read again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true }),
  })
}

export function useTestWebhook(id: string) {
  return useMutation({ mutationFn: () => callData('POST /webhooks/{id}/test', { path: { id } }) })
}

/** What a filter would have let through lately; null: it is not asked. */
export function useFilterPreview(filter: Schemas['WebhookFilter'] | null) {
  return useQuery({
    queryKey: ['webhook-filter', filter],
    queryFn: () => callData('POST /webhook-filter', { body: filter ?? {} }),
    enabled: filter !== null,
    staleTime: 60_000,
    // The words of the filter before stay until those of this one come.
    placeholderData: (before) => before,
  })
}

/** The vendors and products that a filter can name. */
export function useFilterNames() {
  return useQuery({
    queryKey: ['webhook-filter-names'],
    queryFn: () => callData('GET /webhook-filter-names'),
    staleTime: 600_000,
  })
}

/** Deliveries to a webhook, newest first, page by page. */
export function useDeliveries(webhookId: string, state: Schemas['DeliveryState'] | null) {
  const query = { webhook_id: webhookId, limit: 20, ...(state !== null && { state }) }
  const deliveries = useInfiniteQuery({
    ...inPages([...deliveriesKey, webhookId, state], (cursor) =>
      call('GET /deliveries', { query: { ...query, ...cursor } }),
    ),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isDueSoon)) ? refetchSoonMs : refetchMs,
  })
  const { data } = deliveries
  // The webhook above says what the newest of them says.
  useEffect(() => {
    if (data) void queryClient.invalidateQueries({ queryKey: [...webhooksKey, webhookId] })
  }, [data, webhookId])
  return deliveries
}

function isDueSoon({ state, next_attempt_at: next }: Schemas['Delivery']): boolean {
  return state === 'pending' && (next === null || Date.parse(next) - Date.now() < soonMs)
}

/** One delivery with its attempts. Read again while something is to come of it. */
export function useDelivery(id: string) {
  return useQuery({
    queryKey: [...deliveriesKey, 'one', id],
    queryFn: () => callData('GET /deliveries/{id}', { path: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.state !== 'pending' ? false : isDueSoon(data) ? refetchSoonMs : refetchMs,
  })
}

/** What an attempt sent and got. It never changes. */
export function useExchange(id: string, attempt: number) {
  return useQuery({
    queryKey: ['exchange', id, attempt],
    queryFn: () => callData('GET /deliveries/{id}/exchange', { path: { id }, query: { attempt } }),
    staleTime: Infinity,
  })
}

export function useResendFailed(webhookId: string) {
  return useMutation({
    mutationFn: (body: Schemas['ResendInput']) =>
      callData('POST /webhooks/{id}/resend-failed', { path: { id: webhookId }, body }),
    onSuccess: () =>
      Promise.all(
        [deliveriesKey, webhooksKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
}

export function useResendDelivery() {
  return useActionOn(deliveriesKey, (id: string) =>
    callData('POST /deliveries/{id}/resend', { path: { id } }),
  )
}
