import { useQueries, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../contract/index.ts'
import { callData } from './client.ts'

type PriceTable = Schemas['PriceTable']

// Prices move a few times a day. A user who comes back to the page gets the new ones.
const freshMs = 60_000

/** Every record, once it is needed. The browser caches the answer and revalidates it. */
export function usePriceTable(isNeeded: boolean) {
  return useQuery({
    enabled: isNeeded,
    queryKey: ['prices'],
    queryFn: () => callData('GET /prices'),
    staleTime: freshMs,
    // Comparing 13,000 records field by field would take longer than drawing them.
    structuralSharing: (known, read) =>
      (known as PriceTable | undefined)?.version === (read as PriceTable).version ? known : read,
  })
}

export function usePriceHistory(resourceId: string) {
  return useQuery({
    queryKey: ['price-history', resourceId],
    queryFn: () => callData('GET /price-history', { query: { resource_id: resourceId } }),
  })
}

/** Everything that is stored about a record, its history aside. */
export function usePriceRecord(resourceId: string) {
  return useQuery({
    queryKey: ['price-record', resourceId],
    queryFn: () => callData('GET /price-record', { query: { resource_id: resourceId } }),
    staleTime: freshMs,
  })
}

/** What models cost on all platforms, in the order asked for. */
export function useModelPrices(models: readonly string[]) {
  return useQueries({
    queries: models.map((model) => ({
      queryKey: ['model-prices', model],
      queryFn: () => callData('GET /model-prices', { query: { model } }),
      staleTime: freshMs,
    })),
  })
}
