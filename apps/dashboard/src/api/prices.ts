import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { api, dataOf } from './client.ts'

type PriceTable = Schemas['PriceTable']

// Prices move a few times a day. A user who comes back to the page gets the new ones.
const freshMs = 60_000

/** Every record. The browser caches the answer and revalidates it. */
export function usePriceTable() {
  return useQuery({
    queryKey: ['prices'],
    queryFn: () => dataOf(api.GET('/dashboard/api/prices')),
    staleTime: freshMs,
    // Comparing 13,000 records field by field would take longer than drawing them.
    structuralSharing: (known, read) =>
      (known as PriceTable | undefined)?.version === (read as PriceTable).version ? known : read,
  })
}

export function usePriceHistory(resourceId: string) {
  return useQuery({
    queryKey: ['price-history', resourceId],
    queryFn: () =>
      dataOf(api.GET('/dashboard/api/price-history', { params: { query: { resource_id: resourceId } } })),
  })
}
