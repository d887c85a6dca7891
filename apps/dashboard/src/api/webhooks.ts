import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { api, dataOf } from './client.ts'

const webhooksKey = ['webhooks']
const deliveriesKey = ['deliveries']

// A delivery that is due soon is polled every second. A delivery that is due in hours is not.
const soonMs = 60_000
const refetchSoonMs = 1_000
const refetchMs = 10_000

/** The subscriptions of the account, oldest first, page by page. */
export function useWebhooks() {
  return useInfiniteQuery({
    queryKey: webhooksKey,
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      dataOf(
        api.GET('/dashboard/api/webhooks', {
          params: { query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination?.next_cursor ?? null,
    refetchInterval: refetchMs,
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...webhooksKey, id],
    queryFn: async () =>
      (await dataOf(api.GET('/dashboard/api/webhooks/{id}', { params: { path: { id } } }))).data,
    refetchInterval: refetchMs,
  })
}

/** The problem of an address while the user types it; null while the server has not been asked. */
export function useUrlProblem(url: string | null) {
  return useQuery({
    queryKey: ['webhook-url', url],
    queryFn: async () =>
      (await dataOf(api.POST('/dashboard/api/webhook-url', { body: { url: url ?? '' } }))).data,
    enabled: url !== null,
    staleTime: Infinity,
  })
}

export function useCreateWebhook() {
  return useWebhookAction(
    async (body: { url: string; events: Schemas['WebhookEvent'][]; secret?: string }) =>
      (await dataOf(api.POST('/dashboard/api/webhooks', { body }))).data,
  )
}

export function useUpdateWebhook(id: string) {
  return useWebhookAction(async (body: Schemas['WebhookPatch']) => {
    const params = { path: { id } }
    return (await dataOf(api.PATCH('/dashboard/api/webhooks/{id}', { params, body }))).data
  })
}

export function useRotateSecret(id: string) {
  return useWebhookAction(async (body: Schemas['WebhookSecretInput']) => {
    const params = { path: { id } }
    return (await dataOf(api.POST('/dashboard/api/webhooks/{id}/secret', { params, body }))).data
  })
}

export function useDeleteWebhook(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => dataOf(api.DELETE('/dashboard/api/webhooks/{id}', { params: { path: { id } } })),
    // The deleted webhook is not read again.
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksKey, exact: true }),
  })
}

export function useTestWebhook(id: string) {
  return useMutation({
    mutationFn: async () =>
      (await dataOf(api.POST('/dashboard/api/webhooks/{id}/test', { params: { path: { id } } }))).data,
  })
}

/** Deliveries to a webhook, newest first, page by page. */
export function useDeliveries(webhookId: string, state: Schemas['DeliveryState'] | null) {
  return useInfiniteQuery({
    queryKey: [...deliveriesKey, webhookId, state],
    queryFn: ({ pageParam }: { pageParam: string | null }) =>
      dataOf(
        api.GET('/dashboard/api/deliveries', {
          params: {
            query: {
              webhook_id: webhookId,
              limit: 20,
              ...(state !== null && { state }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.pagination?.next_cursor ?? null,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isDueSoon)) ? refetchSoonMs : refetchMs,
  })
}

function isDueSoon({ state, next_attempt_at: next }: Schemas['Delivery']): boolean {
  return state === 'pending' && (next === null || Date.parse(next) - Date.now() < soonMs)
}

export function useResendDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) =>
      (await dataOf(api.POST('/dashboard/api/deliveries/{id}/resend', { params: { path: { id } } }))).data,
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesKey }),
  })
}

function useWebhookAction<Result, Input>(mutationFn: (input: Input) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksKey }),
    // A secret is shown once and not cached.
    gcTime: 0,
  })
}
