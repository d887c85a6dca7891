import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { mendChange } from '../../features/changes/change-check.ts'
import { storeEvidence } from '../../features/changes/change-evidence.ts'
import type { ChangeInput } from '../../features/changes/change-input.ts'
import type { PriceRecord } from '../../catalog/price-record.ts'
import { selectRecords } from '../../catalog/price-records.ts'
import { rowCheck } from '../../platform/row-check.ts'
import { publishWithAlerts, type AlertOptions } from '../../features/webhooks/publish-alerts.ts'
import type { ChangeDraft } from '../changes/change-draft.ts'
import { toDay } from '../days.ts'
import type { FeedPolicy } from '../policy.ts'
import { findQuotes } from './quote-store.ts'
import { readLoads } from './run-store.ts'
import { toChangeInput, type WordingContext } from '../changes/wording/index.ts'

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
  const comparable = await readComparable(db, drafts)
  const today = toDay(observedAt)
  const check = await rowCheck()
  return drafts.flatMap((draft) => {
    const { row } = mendChange(check, toChangeInput(draft, { policy, today, ...comparable }))
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
  const loads = await readLoads(trx)
  const findQuote = await findQuotes(
    trx,
    worded.flatMap(({ evidence }) => evidence),
  )
  const findVersion = (source: string) =>
    source === reading?.source ? reading.version : (loads.get(source)?.version ?? null)
  await storeEvidence(
    trx,
    worded.flatMap(({ evidence }, index) =>
      evidence.map((row) => ({
        change_id: ids[index]!,
        version: findVersion(row.source),
        quote: findQuote(row),
        ...row,
      })),
    ),
  )
  return { changes: inputs.map((input, index) => toPublished(input, ids[index] ?? null)), deliveries }
}

export function toPublished(
  { category, severity, product, title }: ChangeInput,
  id: string | null,
): PublishedChange {
  return { id, category, severity, product, title }
}

/**
 * Prices of the drafts' products, vendors and platforms, and which of them retire; what is gone is left out. Of platforms
 * and vendors all are needed: a name is only right when nothing else has it.
 */
async function readComparable(
  db: Db,
  drafts: readonly ChangeDraft[],
): Promise<Pick<WordingContext, 'prices' | 'retirements'>> {
  const records = drafts.flatMap(({ rows }) =>
    rows.flatMap(({ before, after }) => ((after ?? before) ? [(after ?? before)!.record] : [])),
  )
  if (records.length === 0) return { prices: [], retirements: new Map() }
  const distinct = (column: 'product_id' | 'vendor' | 'platform') => [
    ...new Set(records.flatMap((record) => record[column] ?? [])),
  ]
  const standings = await db
    .selectFrom('price_standings')
    .select(['resource_id', sql<boolean>`gone_since is not null`.as('is_gone')])
    .select(sql<string | null>`retires_on::text`.as('retires_on'))
    .where((where) => where.or([where('gone_since', 'is not', null), where('retires_on', 'is not', null)]))
    .execute()
  const gone = new Set(standings.flatMap(({ resource_id, is_gone }) => (is_gone ? [resource_id] : [])))
  const rows = await selectRecords(db)
    .where((where) =>
      where.or([
        where('product_id', '=', sql<string>`any(${distinct('product_id')})`),
        where(
          'vendor',
          '=',
          sql<string>`any(${distinct('vendor').filter((vendor) => vendor !== 'unknown')})`,
        ),
        where('platform', '=', sql<string>`any(${distinct('platform')})`),
      ]),
    )
    .execute()
  return {
    prices: (rows as PriceRecord[]).filter(({ resource_id }) => !gone.has(resource_id)),
    retirements: new Map(
      standings.flatMap(({ resource_id, retires_on }) =>
        retires_on === null ? [] : [[resource_id, retires_on]],
      ),
    ),
  }
}
