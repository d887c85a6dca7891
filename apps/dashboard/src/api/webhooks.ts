import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../contract/index.ts'
import { useActionOn } from './actions.ts'
import { api, bodyOf, dataOf } from './client.ts'
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
    ...inPages(webhooksKey, (cursor) =>
      bodyOf(api.GET('/dashboard/api/webhooks', { params: { query: { limit: 100, ...cursor } } })),
    ),
    refetchInterval: refetchMs,
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...webhooksKey, id],
    queryFn: () => dataOf(api.GET('/dashboard/api/webhooks/{id}', { params: { path: { id } } })),
    refetchInterval: refetchMs,
  })
}

/** The problem of an address while the user types it; null while the server has not been asked. */
export function useUrlProblem(url: string | null) {
  return useQuery({
    queryKey: ['webhook-url', url],
    queryFn: () => dataOf(api.POST('/dashboard/api/webhook-url', { body: { url: url ?? '' } })),
    enabled: url !== null,
    staleTime: Infinity,
  })
}

export function useCreateWebhook() {
  return useActionOn(webhooksKey, (body: Schemas['WebhookInput']) =>
    dataOf(api.POST('/dashboard/api/webhooks', { body })),
  )
}

export function useUpdateWebhook(id: string) {
  return useActionOn(webhooksKey, (body: Schemas['WebhookPatch']) =>
    dataOf(api.PATCH('/dashboard/api/webhooks/{id}', { params: { path: { id } }, body })),
  )
}

export function useRotateSecret(id: string) {
  return useActionOn(webhooksKey, (body: Schemas['WebhookSecretInput']) =>
    dataOf(api.POST('/dashboard/api/webhooks/{id}/secret', { params: { path: { id } }, body })),
  )
}

export function useDeleteWebhook(id: string) {
  return useMutation({
    mutationFn: () => bodyOf(api.DELETE('/dashboard/api/webhooks/{id}', { params: { path: { id } } })),
    // The deleted webhook is not read again.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: webhooksKey, exact: true }),
  })
}

export function useTestWebhook(id: string) {
  return useMutation({
    mutationFn: () => dataOf(api.POST('/dashboard/api/webhooks/{id}/test', { params: { path: { id } } })),
  })
}

/** Deliveries to a webhook, newest first, page by page. */
export function useDeliveries(webhookId: string, state: Schemas['DeliveryState'] | null) {
  const query = { webhook_id: webhookId, limit: 20, ...(state !== null && { state }) }
  const deliveries = useInfiniteQuery({
    ...inPages([...deliveriesKey, webhookId, state], (cursor) =>
      bodyOf(api.GET('/dashboard/api/deliveries', { params: { query: { ...query, ...cursor } } })),
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

export function useResendDelivery() {
  return useActionOn(deliveriesKey, (id: string) =>
    dataOf(api.POST('/dashboard/api/deliveries/{id}/resend', { params: { path: { id } } })),
  )
}
