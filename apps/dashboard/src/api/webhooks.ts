import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../contract/index.ts'
import { ask, askData, askPages } from './queries.ts'
import { queryClient } from './query-client.ts'

// A delivery that is due soon is polled every second. A delivery that is due in hours is not.
const soonMs = 60_000
const refetchSoonMs = 1_000
const refetchMs = 5_000

/** The subscriptions of the account, oldest first, page by page. */
export function useWebhooks() {
  return useInfiniteQuery({ ...askPages('GET /webhooks', { limit: 100 }), refetchInterval: refetchMs })
}

export function useWebhook(id: string) {
  return useQuery({ ...askData('GET /webhooks/{id}', { path: { id } }), refetchInterval: refetchMs })
}

/** Deliveries to a webhook, newest first, page by page. */
export function useDeliveries(webhookId: string, state: Schemas['DeliveryState'] | null) {
  const query = { webhook_id: webhookId, limit: 20, ...(state !== null && { state }) }
  const deliveries = useInfiniteQuery({
    ...askPages('GET /deliveries', query),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isDueSoon)) ? refetchSoonMs : refetchMs,
  })
  const { data } = deliveries
  // The webhook above says what the newest of them says.
  useEffect(() => {
    if (data) void queryClient.invalidateQueries(ask('GET /webhooks/{id}', { path: { id: webhookId } }))
  }, [data, webhookId])
  return deliveries
}

function isDueSoon({ state, next_attempt_at: next }: Schemas['Delivery']): boolean {
  return state === 'pending' && (next === null || Date.parse(next) - Date.now() < soonMs)
}

/** One delivery with its attempts. Read again while something is to come of it. */
export function useDelivery(id: string) {
  return useQuery({
    ...askData('GET /deliveries/{id}', { path: { id } }),
    refetchInterval: ({ state: { data: answer } }) =>
      answer?.data.state !== 'pending' ? false : isDueSoon(answer.data) ? refetchSoonMs : refetchMs,
  })
}
