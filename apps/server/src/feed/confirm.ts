import { sql } from 'kysely'
import type { Trx } from '../database/connect.ts'
import { lockList } from '../database/writer-lock.ts'
import { amountColumns, type AmountColumn } from '../features/prices/price-record.ts'
import { agree, movedColumns } from './amounts.ts'
import type { ChangeDraft } from './change-draft.ts'
import { endHolds, listHolds, readFeedState, writeDecision } from './feed-store.ts'
import { decideAcceptance } from './decide-acceptance.ts'
import type { FeedPolicy } from './policy.ts'
import { areIndependent } from './precedence.ts'
import type { Amounts, SourceReading } from './source-record.ts'

interface Confirming {
  source: string
  observedAt: string
  policy: FeedPolicy
}

/** Accepts held moves of other sources that this source confirms. Returns the drafts of changes. */
export async function confirmHolds(
  trx: Trx,
  reading: SourceReading,
  { source, observedAt, policy, runId }: Confirming & { runId: string },
): Promise<ChangeDraft[]> {
  const stated = new Map(reading.records.map((record) => [record.resource_id, record]))
  const confirmed = (await listHolds(trx, { state: 'open' })).filter((hold) => {
    const record = stated.get(hold.resource_id)
    if (!record || !areIndependent(hold.source, source, record.platform)) return false
    return agree(record, hold.after, movedColumns(hold.before, hold.after), policy)
  })
  const drafts: ChangeDraft[] = []
  for (const name of new Set(confirmed.map((hold) => hold.source))) {
    const holds = confirmed.filter((hold) => hold.source === name)
    const decision = decideAcceptance(await readFeedState(trx, name, []), holds, { as: 'move', observedAt })
    await writeDecision(trx, decision, { source: name, runId, observedAt })
    await endHolds(
      trx,
      holds.map(({ id }) => id),
      'confirmed',
      observedAt,
      `${source} says the same`,
    )
    drafts.push(...decision.drafts)
  }
  return drafts
}

/** How long after a change another source may still confirm it. */
const confirmDays = 30

/** Marks price changes of other sources as verified where this source confirms them. */
export async function confirmChanges(
  trx: Trx,
  reading: SourceReading,
  { source, observedAt, policy }: Confirming,
): Promise<void> {
  const open = await trx
    .selectFrom('changes')
    .innerJoin('feed_runs', 'feed_runs.id', 'changes.run_id')
    .select(['changes.id', 'changes.diff_after', 'feed_runs.source'])
    .where('changes.category', 'in', ['price_cut', 'price_rise'])
    .where('changes.status', '=', 'in_effect')
    .where((where) => where.or([where('verified', 'is', null), where('verified', '=', false)]))
    .where(
      'changes.last_seen',
      '>',
      sql<string>`${observedAt}::timestamptz - ${confirmDays} * interval '1 day'`,
    )
    .orderBy('changes.id')
    .execute()
  const stated = new Map(reading.records.map((record) => [record.resource_id, record]))
  const confirmed = open.filter((change) => {
    if (change.diff_after === null) return false
    return Object.entries(JSON.parse(change.diff_after) as Record<string, Record<string, unknown>>).every(
      ([id, after]) => {
        const record = stated.get(id)
        const columns = amountColumns.filter((column) => column in after)
        if (!record || !areIndependent(change.source, source, record.platform)) return false
        return agree(record, amountsIn(after, columns), columns, policy)
      },
    )
  })
  if (confirmed.length === 0) return
  const first = await lockList(trx, 'changes')
  for (const [place, { id }] of confirmed.entries()) {
    await trx
      .updateTable('changes')
      .set({
        verified: true,
        verified_at: observedAt,
        updated_at: sql<string>`${first}::timestamptz + ${place}::bigint * interval '1 microsecond'`,
      })
      .where('id', '=', id)
      .execute()
  }
}

function amountsIn(after: Record<string, unknown>, columns: readonly AmountColumn[]): Amounts {
  return Object.fromEntries(columns.map((column) => [column, toText(after[column])])) as Amounts
}

function toText(value: unknown): string | null {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : null
}
