import { describe, expect, test } from 'vitest'
import { readGoogleBillingCatalog } from './google.ts'

const now = new Date('2026-08-01T12:00:00Z')

// By the documentation of the service: no answer of it has been seen.
const sku = (description: string, nanos: number, more: Record<string, unknown> = {}, price: object = {}) => ({
  ...{ skuId: description, description, serviceRegions: ['global'], ...more },
  pricingInfo: [
    {
      effectiveTime: '2026-07-01T00:00:00.000Z',
      pricingExpression: {
        usageUnit: 'count',
        tieredRates: [{ startUsageAmount: 0, unitPrice: { currencyCode: 'USD', units: '0', nanos } }],
        ...price,
      },
    },
  ],
})
const read = (...skus: object[]) => readGoogleBillingCatalog(JSON.stringify({ skus, nextPageToken: '' }), now)
const input = sku('Gemini 2.5 Pro Text Input - Predictions', 1250)

describe('the Cloud Billing Catalog', () => {
  test('states prices of one token', () => {
    expect(read(input, sku('Gemini 2.5 Pro Text Output - Predictions', 10_000)).records).toMatchObject([
      {
        ...{ resource_id: 'vertex_ai:gemini-2.5-pro', input_per_mtok: '1.25', output_per_mtok: '10' },
        ...{ is_witness: true, currency: 'USD', effective_at: '2026-07-01' },
      },
    ])
  })

  test.each([
    [
      'has a description that is not in the table',
      sku('Gemini 2.5 Pro Text Input (Long) - Predictions', 2500),
    ],
    [
      'has a description that is not in the table',
      sku('Gemini 2.5 Flash Lite Text Input - Predictions', 100),
    ],
    ['is per k{char}', sku('Gemini 3 Flash Text Input - Predictions', 1, {}, { usageUnit: 'k{char}' })],
    ['states no price', sku('Gemini 3 Flash Text Input - Predictions', 0)],
    ['cannot be read', sku('Gemini 3 Flash Text Input - Predictions', 1, {}, { tieredRates: [] })],
  ])('refuses what %s', (reason, odd) => {
    const { records, rejected } = read(input, odd)
    expect([records.length, rejected.map((row) => row.reason.slice(0, reason.length))]).toEqual([1, [reason]])
  })

  test('is refused in part, or as something else', () => {
    const page = JSON.stringify({ skus: [input], nextPageToken: 'more' })
    expect(() => readGoogleBillingCatalog(page, now)).toThrow(/one page/)
    expect(() => readGoogleBillingCatalog('{"error":{}}', now)).toThrow(/not an answer of the Cloud Billing/)
  })
})
