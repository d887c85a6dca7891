import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { utcText, utcTextOrNull } from '../database/keyset.ts'
import { newId } from '../platform/ids.ts'
import { writePrices } from '../features/prices/write-prices.ts'
import { readPriceRecords } from '../features/prices/price-records.ts'
import type { Decision, FeedRecord, FeedState, Hold, KnownSchedule } from './feed-state.ts'
import type { Amounts, SourceRecord } from './source-record.ts'

/** Runs decide one after the other: what one run accepts may confirm what another holds. */
const feedLock = 7_310_003

export async function lockRuns(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(feedLock)})`.execute(trx)
}

/**
 * The stored state of a source.
 * @param ids resources of a reading. They are looked up in the other sources, as are those that this source has named
 */
export async function readFeedState(db: Db, source: string, ids: readonly string[]): Promise<FeedState> {
  const row = await db
    .selectFrom('feed_sources')
    .leftJoin('feed_runs', 'feed_runs.id', 'feed_sources.held_run')
    .select(['held_run', 'held_gone', utcTextOrNull('last_observed_at').as('last_observed_at')])
    .select(utcTextOrNull('feed_runs.observed_at').as('held_since'))
    .where('feed_sources.source', '=', source)
    .executeTakeFirst()
  const records = await selectRecords(db).where('source', '=', source).execute()
  const all = [...new Set([...ids, ...records.map((record) => record.resource_id)])]
  const others = await selectRecords(db)
    .where('source', '<>', source)
    .where('resource_id', '=', sql<string>`any(${all})`)
    .execute()
  const holds = await listHolds(db, { source, state: 'open' })
  const rejected = await listHolds(db, { source, state: 'rejected' })
  const schedules = await db
    .selectFrom('scheduled_prices')
    .select(['resource_id', sql<string>`starts_on::text`.as('starts_on'), 'amounts', 'reminded_days'])
    .where('source', '=', source)
    .orderBy('scheduled_prices.starts_on')
    .execute()
  return {
    source,
    isFirst: records.length === 0,
    lastObservedAt: row?.last_observed_at ?? null,
    heldGone:
      row?.held_run && row.held_since !== null
        ? { since: row.held_since, ids: new Set(row.held_gone) }
        : null,
    records: new Map(records.map((row) => [row.resource_id, toRecord(row)])),
    others: Map.groupBy(others.map(toRecord), (record) => record.resource_id),
    served: new Map((await readPriceRecords(db, all)).map((record) => [record.resource_id, record])),
    holds: new Map(holds.map((hold) => [hold.resource_id, hold])),
    rejected: Map.groupBy(rejected, (hold) => hold.resource_id),
    schedules: Map.groupBy(
      schedules.map(({ reminded_days, amounts, ...row }): KnownSchedule => ({
        ...row,
        amounts: amounts as unknown as Amounts,
        remindedDays: reminded_days,
      })),
      (schedule) => schedule.resource_id,
    ),
  }
}

function selectRecords(db: Db) {
  return db
    .selectFrom('feed_records')
    .select(['source', 'resource_id', 'stated', 'accepted', 'gone_runs'])
    .select(utcText('first_seen').as('first_seen'))
    .select(utcTextOrNull('gone_since').as('gone_since'))
    .select(utcTextOrNull('removed_at').as('removed_at'))
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof selectRecords>['execute']>>[number]

function toRecord(row: RecordRow): FeedRecord {
  return {
    source: row.source,
    resource_id: row.resource_id,
    stated: row.stated as unknown as SourceRecord,
    accepted: row.accepted as unknown as SourceRecord,
    firstSeen: row.first_seen,
    goneSince: row.gone_since,
    goneRuns: row.gone_runs,
    removedAt: row.removed_at,
  }
}

export type HoldState = 'open' | 'accepted' | 'rejected' | 'confirmed' | 'withdrawn'

/** A hold as an operator sees it. */
export interface StoredHold extends Hold {
  runId: string
  state: HoldState
  decidedAt: string | null
  note: string | null
}

/** Moves on hold, oldest first. */
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

// Rows per statement: keeps a parameter well under a megabyte.
const chunkRows = 1_000

/** Writes all of a decision except its drafts, which are published separately. */
export async function writeDecision(
  trx: Trx,
  decision: Decision,
  { source, runId, observedAt }: { source: string; runId: string; observedAt: string },
): Promise<void> {
  for (const chunk of chunksOf(decision.records)) await writeRecords(trx, chunk)
  if (decision.withdrawnHolds.length > 0)
    await endHolds(trx, decision.withdrawnHolds, 'withdrawn', observedAt, null)
  for (const chunk of chunksOf(decision.newHolds)) {
    await trx
      .insertInto('feed_holds')
      .values(
        chunk.map(({ resource_id, reason, before, after, firstSeen }) => ({
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
  for (const { resource_id, starts_on } of decision.endedSchedules) {
    await trx
      .deleteFrom('scheduled_prices')
      .where('source', '=', source)
      .where('resource_id', '=', resource_id)
      .where('starts_on', '=', starts_on)
      .execute()
  }
  for (const { resource_id, starts_on, amounts, remindedDays } of decision.schedules) {
    const values = { amounts: JSON.stringify(amounts), reminded_days: remindedDays }
    await trx
      .insertInto('scheduled_prices')
      .values({ source, resource_id, starts_on, ...values, learned_at: observedAt })
      .onConflict((conflict) => conflict.columns(['source', 'resource_id', 'starts_on']).doUpdateSet(values))
      .execute()
  }
  await writePrices(trx, decision.served, { runId, observedAt })
}

async function writeRecords(trx: Trx, records: readonly FeedRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    source: record.source,
    resource_id: record.resource_id,
    stated: record.stated,
    accepted: record.accepted,
    first_seen: record.firstSeen,
    gone_since: record.goneSince,
    gone_runs: record.goneRuns,
    removed_at: record.removedAt,
  }))
  await sql`
    insert into feed_records
    select * from jsonb_populate_recordset(null::feed_records, ${JSON.stringify(rows)}::jsonb)
    on conflict (source, resource_id) do update set
      stated = excluded.stated, accepted = excluded.accepted, gone_since = excluded.gone_since,
      gone_runs = excluded.gone_runs, removed_at = excluded.removed_at`.execute(trx)
}

export async function endHolds(
  trx: Trx,
  ids: readonly string[],
  state: 'accepted' | 'rejected' | 'confirmed' | 'withdrawn',
  decidedAt: string,
  note: string | null,
): Promise<void> {
  await trx
    .updateTable('feed_holds')
    .set({ state, decided_at: decidedAt, note })
    .where('id', '=', sql<string>`any(${[...ids]})`)
    .execute()
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += chunkRows) yield items.slice(start, start + chunkRows)
}
