import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { newId } from '../../platform/ids.ts'
import type { Hold, NewHold } from '../changes/feed-state.ts'

export type HoldState = 'open' | 'accepted' | 'rejected' | 'confirmed' | 'withdrawn'

/** A hold as an operator sees it. */
export interface StoredHold extends Hold {
  run_id: string
  state: HoldState
  decided_at: string | null
  /** The address of the operator who decided in the dashboard; null: the command line did, or no person. */
  decided_by: string | null
  note: string | null
}

export interface HoldFilter {
  source?: string | undefined
  state?: HoldState
  runId?: string
  ids?: readonly string[]
  /** Those that come after this hold; null: from the first. */
  afterId?: string | null
  limit?: number
}

/** Claims on hold, oldest first. */
export async function listHolds(
  db: Db,
  { source, state, runId, ids, afterId, limit }: HoldFilter,
): Promise<StoredHold[]> {
  let query = db
    .selectFrom('feed_holds')
    .select([
      'id',
      'source',
      'resource_id',
      'run_id',
      'reason',
      'before',
      'after',
      'state',
      'note',
      'decided_by',
    ])
    .select(utcText('first_seen').as('firstSeen'))
    .select(utcTextOrNull('decided_at').as('decided_at'))
  if (source !== undefined) query = query.where('source', '=', source)
  if (state !== undefined) query = query.where('state', '=', state)
  if (runId !== undefined) query = query.where('run_id', '=', runId)
  if (ids !== undefined) query = query.where('id', '=', sql<string>`any(${[...ids]})`)
  if (afterId != null) {
    query = query.where(
      sql<boolean>`(feed_holds.first_seen, source, resource_id) > (
        select before.first_seen, before.source, before.resource_id from feed_holds as before
        where before.id = ${afterId}
      )`,
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  const rows = query.orderBy('feed_holds.first_seen').orderBy('source').orderBy('resource_id')
  return rows.$castTo<StoredHold>().execute()
}

export async function insertHolds(trx: Trx, holds: readonly NewHold[], runId: string): Promise<void> {
  await trx
    .insertInto('feed_holds')
    .values(
      holds.map(({ source, resource_id, reason, before, after, firstSeen }) => ({
        id: newId('hold'),
        source,
        run_id: runId,
        resource_id,
        reason,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
        first_seen: firstSeen,
      })),
    )
    .execute()
}

/** Holds that wait on: why, since when, and what is served in their place now. */
export async function restateHolds(trx: Trx, holds: readonly Hold[]): Promise<void> {
  const rows = holds.map(({ id, reason, before, firstSeen }) => ({
    id,
    reason,
    before,
    first_seen: firstSeen,
  }))
  await sql`
    update feed_holds set reason = restated.reason, before = restated.before, first_seen = restated.first_seen
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as restated (id text, reason text, before jsonb, first_seen timestamptz)
    where feed_holds.id = restated.id`.execute(trx)
}

export async function endHolds(
  trx: Trx,
  ids: readonly string[],
  state: Exclude<HoldState, 'open'>,
  decidedAt: string,
  { note, by = null }: { note: string | null; by?: string | null },
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('feed_holds')
    .set({ state, decided_at: decidedAt, note, decided_by: by })
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute()
}

/** How many wait, by source. */
export async function countWaiting(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('feed_holds')
    .select(['source', sql<number>`count(*)::int`.as('waiting')])
    .where('state', '=', 'open')
    .groupBy('source')
    .orderBy('source')
    .execute()
  return new Map(rows.map(({ source, waiting }) => [source, waiting]))
}
