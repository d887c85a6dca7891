import { readDecimal, type Scale } from '../../src/catalog/decimal.ts'
import { amountColumns } from '../../src/catalog/price-record.ts'
import { rateKey } from '../../src/catalog/rate-card.ts'
import type { SourceReading } from '../../src/ingest/source-record.ts'

/** Every amount of a reading, by resource and field: columns by their names, rates by their keys. */
export function amountsOf({ records }: SourceReading): Map<string, string> {
  return new Map(
    records.flatMap((record) => [
      ...amountColumns.flatMap((column) => {
        const amount = record[column]
        return amount === null ? [] : [[`${record.resource_id} ${column}`, amount] as const]
      }),
      ...record.rates.map((rate) => [`${record.resource_id} ${rateKey(rate)}`, rate.amount] as const),
    ]),
  )
}

/** Amounts of a document that somebody broke that are not those of the document: none of a refused one. */
export function findWrongAmounts(right: ReadonlyMap<string, string>, read: () => SourceReading): string[] {
  try {
    return [...amountsOf(read())].flatMap(([key, amount]) =>
      right.get(key) === amount ? [] : [`${key} is ${amount}, and was ${right.get(key) ?? 'not there'}`],
    )
  } catch {
    return []
  }
}

/** Each quote that stands elsewhere in the document, or that does not state what is read, and how many there are. */
export function checkQuotes(
  text: string,
  reading: SourceReading,
  amountIn: (quote: string) => { stated: string; scale: Scale },
): { quotes: number; wrong: string[] } {
  const bytes = Buffer.from(text)
  const amounts = amountsOf(reading)
  const byKey = new Map(reading.records.map(({ resource_id }) => [resource_id, resource_id]))
  const all = [...(reading.quotes ?? [])].flatMap(([, quotes]) => quotes)
  const lists = [...byKey.keys()].flatMap((id, index) =>
    [...(reading.quotes?.values() ?? [])][index]!.map((quote) => ({ id, quote })),
  )
  const wrong = lists.flatMap(({ id, quote: { of, text: words, from, to } }) => {
    const { stated, scale } = amountIn(words)
    const decimal = readDecimal(stated, scale)
    const isRight =
      words.length <= 300 &&
      bytes.subarray(from, to).toString() === words &&
      of.every((field) => 'amount' in decimal && amounts.get(`${id} ${field}`) === decimal.amount)
    return isRight ? [] : [`${id} ${of.join()}: ${words}`]
  })
  return { quotes: all.length, wrong }
}
