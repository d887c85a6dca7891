import { useMutation, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { api, dataOf } from './client.ts'

const waitingIntervalMs = 2_000

/** @param isWaiting whether somebody comes from paying: what was bought is there when its payment is reported */
export function useBilling(isWaiting: boolean) {
  return useQuery({
    queryKey: ['billing'],
    queryFn: async () => (await dataOf(api.GET('/dashboard/api/billing'))).data,
    refetchInterval: isWaiting ? waitingIntervalMs : false,
  })
}

/** Goes on to the page on which to pay. */
export function useCheckout() {
  return useMutation({
    mutationFn: async (body: Schemas['CheckoutInput']) =>
      leaveFor((await dataOf(api.POST('/dashboard/api/billing/checkout', { body }))).data.url),
  })
}

/** Goes on to the page with invoices and cards. */
export function usePortal() {
  return useMutation({
    mutationFn: async () => leaveFor((await dataOf(api.POST('/dashboard/api/billing/portal'))).data.url),
  })
}

/** Never comes back: the button that was pressed stays busy until the other page is there. */
function leaveFor(url: string): Promise<never> {
  window.location.assign(url)
  return new Promise(() => undefined)
}
