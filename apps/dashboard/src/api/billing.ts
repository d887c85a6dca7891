import { useMutation } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { callData } from './client.ts'

/** Opens the provider's payment page. */
export function useCheckout() {
  return useMutation({
    mutationFn: async (body: Schemas['CheckoutInput']) =>
      leaveFor((await callData('POST /billing/checkout', { body })).url),
  })
}

/** Opens the provider's page with invoices and cards. */
export function usePortal() {
  return useMutation({ mutationFn: async () => leaveFor((await callData('POST /billing/portal')).url) })
}

/** Never resolves: the pressed button stays busy until the other page has loaded. */
function leaveFor(url: string): Promise<never> {
  window.location.assign(url)
  return new Promise(() => undefined)
}
