import { columns } from './card.ts'
import { costOf } from './cost-of.ts'
import { isOfRegion } from './resolve.ts'
import type { CatalogAmounts, CatalogRecord, CostOptions } from './types.ts'

/** The amounts of a record in the region that its name states, or that is asked for; null: the catalog has none there. */
export function pricesIn(
  region: string | null,
  record: CatalogRecord,
  told: Omit<CostOptions, 'overrides'>,
): Partial<CatalogAmounts> | null {
  if (region === null || isOfRegion(record, region)) return record
  const found = columns.flatMap(([field, meter]) => {
    const [line] = costOf({ counts: { [meter]: 1 } }, told).lines
    return line === undefined ? [] : [[field, line.rate] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}
