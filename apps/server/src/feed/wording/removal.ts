import type { PriceRecord } from '../../features/prices/price-record.ts'
import type { ChangeDraft, RowState } from '../change-draft.ts'
import type { RemovalKind } from '../policy.ts'
import { ownModels } from '../taxonomy.ts'

/** The kind of removal of each row that the change removes. */
export function removalsOf(
  { product, rows }: ChangeDraft,
  { today, prices }: { today: string; prices: readonly PriceRecord[] },
): RemovalKind[] {
  const removed = rows.flatMap(({ before, after }) => (before && !after ? [before] : []))
  if (removed.length === 0) return []
  const ids = new Set(rows.map((row) => row.resource_id))
  const remaining = prices.filter((price) => price.product_id === product && !ids.has(price.resource_id))
  const stillSoldOn = new Set(remaining.map((price) => price.platform))
  return removed.map((state) => removalOf(state, today, stillSoldOn))
}

function removalOf(
  { record, retires_on }: RowState,
  today: string,
  stillSoldOn: ReadonlySet<string | null>,
): RemovalKind {
  // A row that is gone before its announced day is gone without notice.
  if (retires_on !== null && retires_on <= today) return 'announced'
  const { platform, vendor } = record
  const isOwn = platform !== null && ownModels[platform] === vendor
  return isOwn && !stillSoldOn.has(platform) ? 'own' : 'other'
}
