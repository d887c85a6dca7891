import { amountColumns, type PriceRecord, type RejectedRow } from '../catalog/price-record.ts'
import { rateKey, type Rate } from '../catalog/rate-card.ts'
import { agreeOn } from '../ingest/amounts.ts'
import { resourceKey } from '../ingest/match/names.ts'
import type { FeedPolicy } from '../ingest/policy.ts'
import type { SourceRecord } from '../ingest/source-record.ts'
import type { PriceTable } from './read-table.ts'

/** A price as it is served today, with its rate card. */
export interface ServedPrice {
  record: PriceRecord
  rates: readonly Rate[]
}

/** An amount of a table that is not the served one. */
interface WrongAmount {
  /** The row's key in the table. */
  row: string
  resource_id: string
  /** A column of prices, or a rate in words: `input_tokens batch`. */
  field: string
  /** The rate without its amount; null: a column. */
  rate: Omit<Rate, 'amount'> | null
  in_file: string
  served: string
}

export interface DriftReport {
  format: PriceTable['format']
  /** Rows that state a price of a resource that is served. */
  compared: number
  /** Amounts that both state. */
  amounts: number
  wrong: WrongAmount[]
  /** Rows about resources that are not served: nobody knows whether they are right. */
  unknown: { row: string; resource_id: string }[]
  /** Rows that are no price, or cannot be compared, and why. */
  unread: RejectedRow[]
}

/**
 * Compares a table with what is served. Two amounts are the same when they differ by no more than rounding. What one of
 * the two does not state is not compared.
 * @param served by `resourceKey`
 */
export function compareTable(
  { format, rows, unread }: PriceTable,
  served: ReadonlyMap<string, ServedPrice>,
  policy: FeedPolicy,
): DriftReport {
  const report: DriftReport = {
    ...{ format, compared: 0, amounts: 0, wrong: [], unknown: [] },
    unread: [...unread],
  }
  for (const stated of rows) {
    const row = stated.source_key
    const price = served.get(resourceKey(stated.resource_id))
    if (price === undefined) {
      report.unknown.push({ row, resource_id: stated.resource_id })
      continue
    }
    const { currency } = price.record
    if (stated.currency !== currency) {
      const reason = `is in ${stated.currency ?? 'no currency'}, and ${currency ?? 'none'} is served`
      report.unread.push({ id: row, reason })
      continue
    }
    const pairs = [...compareColumns(stated, price), ...compareRates(stated, price)]
    if (pairs.length > 0) report.compared += 1
    report.amounts += pairs.length
    report.wrong.push(...pairs.filter((pair) => !agreeOn(pair.in_file, pair.served, policy)))
  }
  return report
}

function compareColumns(stated: SourceRecord, { record }: ServedPrice): WrongAmount[] {
  return amountColumns.flatMap((field) => {
    const [in_file, served] = [stated[field], record[field]]
    if (in_file === null || served === null) return []
    return [{ row: stated.source_key, resource_id: record.resource_id, field, rate: null, in_file, served }]
  })
}

function compareRates(stated: SourceRecord, { record, rates }: ServedPrice): WrongAmount[] {
  const card = new Map(rates.map((rate) => [rateKey(rate), rate.amount]))
  return stated.rates.flatMap((one) => {
    const served = card.get(rateKey(one))
    if (served === undefined) return []
    const { amount: in_file, ...rate } = one
    const about = { row: stated.source_key, resource_id: record.resource_id }
    return [{ ...about, field: rateText(rate), rate, in_file, served }]
  })
}

/** A rate in words, without its amount and unit. */
export function rateText({ meter, service_tier, variant, threshold, hours }: Omit<Rate, 'amount'>): string {
  return [meter, service_tier, variant, threshold === null ? null : `above ${threshold}`, hours]
    .filter((word) => word !== null)
    .join(' ')
}
