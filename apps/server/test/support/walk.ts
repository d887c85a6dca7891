import { expect } from 'vitest'
import type { Price, PriceList } from '@ratecard/contract'
import type { TestApi } from './api.ts'

/**
 * Every price that the filter finds, page by page. Each answer is held against the contract, must be a 200, and must be
 * there within `answerMsMax`.
 */
export async function walkPrices(
  api: Pick<TestApi, 'request'>,
  key: string,
  filter: Record<string, string> = {},
  { limit = 500, answerMsMax = 5_000 } = {},
): Promise<Price[]> {
  const rows: Price[] = []
  for (let cursor: string | undefined; ;) {
    const asked = {
      limit: String(limit),
      ...filter,
      ...(cursor !== undefined && { cursor }),
    }
    const query = new URLSearchParams(asked).toString()
    const startedMs = performance.now()
    const { status, body } = await api.request(`/v1/prices?${query}`, { key })
    expect([status, query]).toEqual([200, query])
    expect(performance.now() - startedMs).toBeLessThan(answerMsMax)
    const page = body as PriceList
    rows.push(...page.data)
    cursor = page.pagination?.next_cursor
    if (cursor === undefined) return rows
  }
}
