import { rateKey, type Rate } from '../../features/prices/rate-card.ts'
import type { SourceRecord } from '../source-record.ts'
import type { Losses } from './report.ts'
import { cardOf, nameRate, whyLost, type ExportResource } from './resource.ts'

// Upstream's rows with our prices laid over them. What a row says is asked of the importer that reads it: nothing is
// written that is read otherwise.

/** What is not read back of a resource; null: something is read that it does not cost. */
function findLost(resource: ExportResource, back: SourceRecord | null): Rate[] | null {
  if (back === null) return null
  const meant = new Map(cardOf(resource).map((rate) => [rateKey(rate), rate]))
  const read = new Map(
    cardOf({ ...resource, ...back, rates: toJudged(back.rates) }).map((rate) => [rateKey(rate), rate]),
  )
  for (const [key, { amount }] of read) if (meant.get(key)?.amount !== amount) return null
  return [...meant].flatMap(([key, rate]) => (read.has(key) ? [] : [rate]))
}

function toJudged(rates: readonly Rate[]): ExportResource['rates'] {
  return rates.map((rate) => ({ ...rate, said_by: null, denied_by: null }))
}

/**
 * The row that says most of the resource, and nothing else: upstream's own where that says as much, else the first of
 * `tries`. Null: none says nothing but the truth.
 */
export function overlayRow<Row>(
  resource: ExportResource,
  own: Row,
  tries: readonly Row[],
  { read, losses }: { read: (row: Row) => SourceRecord | null; losses: Losses },
): Row | null {
  const [first, ...others] = [own, ...tries].flatMap((row) => {
    const lost = findLost(resource, read(row))
    return lost === null ? [] : [{ row, lost }]
  })
  if (first === undefined) return null
  const best = others.reduce((most, one) => (one.lost.length < most.lost.length ? one : most), first)
  for (const rate of best.lost) losses.add(whyLost(rate), resource.resource_id, nameRate(rate))
  return best.row
}
