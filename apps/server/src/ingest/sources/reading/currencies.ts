import type { RejectedRow } from '../../../catalog/price-record.ts'
import { lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'

/** What a platform bills in, where lists copy its amounts as if they were US dollars. */
interface Billing {
  /** Null: its own currency and US dollars stand beside each other in the lists, and no row says which it has. */
  currency: string | null
  /** The lists that do so. */
  lists: readonly string[]
  /** How we know. */
  why: string
}

/**
 * By platform, each with the evidence. Where a list converts at the rate of a day (Berget, STACKIT, Regolo and Volcengine
 * in models.dev) its amounts are dollars, and stay.
 */
const billings: Readonly<Record<string, Billing>> = {
  // https://www.scaleway.com/en/generative-apis/ states EUR, and models.dev's issue 2919 says that it is copied as it is.
  // LiteLLM has the same amounts to the digit in the 15 rows of tokens that both have (July and August 2026).
  scaleway: {
    currency: 'EUR',
    lists: ['models.dev', 'litellm'],
    why: 'Scaleway bills in EUR, and the list copies its amounts as they are',
  },
  // Its address answers in EUR unless it is asked otherwise. Issue 2919 of models.dev says that amounts are copied as they
  // are; the authors of pull requests 1004, 1490 and 2003 say that they converted theirs, and 3903 converts all (2026-07-31).
  cortecs: {
    currency: null,
    lists: ['models.dev'],
    why: 'Cortecs bills in EUR, and the list has its amounts and converted ones, and does not say which is which',
  },
  // models.dev's pull request 1516 would have corrected CNY to USD, and was closed without a look at it.
  moark: {
    currency: 'CNY',
    lists: ['models.dev'],
    why: 'Moark bills in CNY, and the list copies its amounts as they are',
  },
}

/** States the currency in which a platform bills where the list is known to state a wrong one. Nothing is converted. */
export function correctCurrencies(source: string, reading: SourceReading): SourceReading {
  const mended: RejectedRow[] = []
  const records = reading.records.map((record) => {
    const billing = record.platform === null ? undefined : lookUp(billings, record.platform)
    if (billing === undefined || record.currency !== 'USD' || !billing.lists.includes(source)) return record
    const { currency, why } = billing
    mended.push({
      id: record.source_key,
      reason: `is in ${currency ?? 'EUR or USD'}: ${why}`,
    })
    return { ...record, currency }
  })
  return mended.length === 0 ? reading : { ...reading, records, mended: [...reading.mended, ...mended] }
}
