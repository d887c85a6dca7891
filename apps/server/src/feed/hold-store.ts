import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { utcText, utcTextOrNull } from '../database/keyset.ts'
import { newId } from '../platform/ids.ts'
import type { Hold, NewHold } from './feed-state.ts'
import type { Amounts } from './source-record.ts'

export type HoldState = 'open' | 'accepted' | 'rejected' | 'confirmed' | 'withdrawn'

/** A hold as an operator sees it. */
export interface StoredHold extends Hold {
  runId: string
  state: HoldState
  decidedAt: string | null
  note: string | null
}

/** Claims on hold, oldest first. */
export async function listHolds(
  db: Db,
  {
    source,
    state,
    runId,
    ids,
  }: { source?: string; state?: HoldState; runId?: string; ids?: readonly string[] },
): Promise<StoredHold[]> {
  let query = db
    .selectFrom('feed_holds')
    .select(['id', 'source', 'resource_id', 'run_id', 'reason', 'before', 'after', 'state', 'note'])
    .select(utcText('first_seen').as('first_seen'))
    .select(utcTextOrNull('decided_at').as('decided_at'))
  if (source !== undefined) query = query.where('source', '=', source)
  if (state !== undefined) query = query.where('state', '=', state)
  if (runId !== undefined) query = query.where('run_id', '=', runId)
  if (ids !== undefined) query = query.where('id', '=', sql<string>`any(${[...ids]})`)
  const rows = await query.orderBy('feed_holds.first_seen').orderBy('source').orderBy('resource_id').execute()
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    resource_id: row.resource_id,
    runId: row.run_id,
    reason: row.reason as Hold['reason'],
    before: row.before as unknown as Amounts,
    after: row.after as unknown as Amounts,
    state: row.state as HoldState,
    firstSeen: row.first_seen,
    decidedAt: row.decided_at,
    note: row.note,
  }))
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
  note: string | null,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('feed_holds')
    .set({ state, decided_at: decidedAt, note })
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute()
}
