import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { mendChange } from '../features/changes/change-check.ts'
import type { ChangeInput } from '../features/changes/change-input.ts'
import type { PriceRecord } from '../features/prices/price-record.ts'
import { selectRecords } from '../features/prices/price-records.ts'
import { rowCheck } from '../platform/row-check.ts'
import { publishWithAlerts, type AlertOptions } from '../features/webhooks/publish-alerts.ts'
import type { ChangeDraft } from './change-draft.ts'
import { dayOf } from './days.ts'
import type { FeedPolicy } from './policy.ts'
import { toChangeInput } from './wording/index.ts'

export interface PublishedChange {
  /** Null: not published yet, in a dry run. */
  id: string | null
  category: string
  severity: number
  product: string
  title: string
}

export interface PublishedDrafts {
  changes: PublishedChange[]
  /** Alerts queued. */
  deliveries: number
}

/** Puts drafts into words. Alternatives are looked up among the prices that are served now. */
export async function wordDrafts(
  db: Db,
  drafts: readonly ChangeDraft[],
  { observedAt, policy }: { observedAt: string; policy: FeedPolicy },
): Promise<ChangeInput[]> {
  const prices = await readComparable(db, drafts)
  const today = dayOf(observedAt)
  const check = await rowCheck()
  return drafts.flatMap((draft) => {
    const { row } = mendChange(check, toChangeInput(draft, { policy, today, prices }))
    return row === null ? [] : [row]
  })
}

/** Puts drafts into words, publishes them in the transaction of the run, and queues their alerts. */
export async function publishDrafts(
  trx: Trx,
  drafts: readonly ChangeDraft[],
  {
    runId,
    alerts,
    ...wording
  }: { runId: string | null; observedAt: string; policy: FeedPolicy; alerts: AlertOptions | null },
): Promise<PublishedDrafts> {
  const inputs = await wordDrafts(trx, drafts, wording)
  if (inputs.length === 0) return { changes: [], deliveries: 0 }
  const { ids, deliveries } = await publishWithAlerts(trx, inputs, { runId, alerts })
  return { changes: inputs.map((input, index) => toPublished(input, ids[index] ?? null)), deliveries }
}

export function toPublished(
  { category, severity, product, title }: ChangeInput,
  id: string | null,
): PublishedChange {
  return { id, category, severity, product, title }
}

/** Prices of the drafts' products, and of their vendors' models of the same kind; removed ones left out. */
async function readComparable(db: Db, drafts: readonly ChangeDraft[]): Promise<PriceRecord[]> {
  const records = drafts.flatMap(({ rows }) => {
    const record = rows[0]?.after?.record ?? rows[0]?.before?.record
    return record ? [record] : []
  })
  if (records.length === 0) return []
  const products = records.flatMap((record) => record.product_id ?? [])
  const vendors = [...new Set(records.map((record) => record.vendor))]
  const isThere = sql<boolean>`(
    not exists (
      select from price_standings s where s.resource_id = prices.resource_id and s.gone_since is not null
    ))`
  const rows = await selectRecords(db)
    .where((where) =>
      where.or([
        where('product_id', '=', sql<string>`any(${products})`),
        where('vendor', '=', sql<string>`any(${vendors})`),
      ]),
    )
    .where(isThere)
    .execute()
  return rows as PriceRecord[]
}
