import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { mendChange } from '../features/changes/change-check.ts'
import { storeEvidence } from '../features/changes/change-evidence.ts'
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

interface WordedDraft {
  input: ChangeInput
  evidence: ChangeDraft['evidence']
}

/** Puts drafts into words. Alternatives are looked up among the prices that are served now. */
export async function wordDrafts(
  db: Db,
  drafts: readonly ChangeDraft[],
  { observedAt, policy }: { observedAt: string; policy: FeedPolicy },
): Promise<WordedDraft[]> {
  const prices = await readComparable(db, drafts)
  const today = dayOf(observedAt)
  const check = await rowCheck()
  return drafts.flatMap((draft) => {
    const { row } = mendChange(check, toChangeInput(draft, { policy, today, prices }))
    return row === null ? [] : [{ input: row, evidence: draft.evidence }]
  })
}

/** Puts drafts into words, publishes them in the transaction of the run, and queues their alerts. */
export async function publishDrafts(
  trx: Trx,
  drafts: readonly ChangeDraft[],
  {
    runId,
    alerts,
    reading = null,
    ...wording
  }: {
    runId: string | null
    observedAt: string
    policy: FeedPolicy
    alerts: AlertOptions | null
    /** What the run has read, which is not recorded yet. */
    reading?: { source: string; version: string | null } | null
  },
): Promise<PublishedDrafts> {
  const worded = await wordDrafts(trx, drafts, wording)
  if (worded.length === 0) return { changes: [], deliveries: 0 }
  const inputs = worded.map(({ input }) => input)
  const { ids, deliveries } = await publishWithAlerts(trx, inputs, { runId, alerts })
  const versions = await readVersions(trx)
  if (reading) versions.set(reading.source, reading.version)
  await storeEvidence(
    trx,
    worded.flatMap(({ evidence }, index) =>
      evidence.map((row) => ({ change_id: ids[index]!, version: versions.get(row.source) ?? null, ...row })),
    ),
  )
  return { changes: inputs.map((input, index) => toPublished(input, ids[index] ?? null)), deliveries }
}

/** The version of each source that was taken last. */
async function readVersions(trx: Trx): Promise<Map<string, string | null>> {
  const rows = await trx
    .selectFrom('feed_runs')
    .select(['source', 'version'])
    .distinctOn('source')
    .where('outcome', '=', 'applied')
    .orderBy('source')
    .orderBy('observed_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.map(({ source, version }) => [source, version]))
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
