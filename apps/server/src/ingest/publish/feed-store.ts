import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { readFeedRole, refusedInCell } from '../../database/feed-role.ts'
import { FeatureError } from '../../features/feature-error.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { readRateCards } from '../../catalog/rate-cards.ts'
import { selectRecords } from '../../catalog/price-records.ts'
import type { PriceRecord } from '../../catalog/price-record.ts'
import { removePrices, writePrices } from '../../catalog/write-prices.ts'
import type { Decision, FeedState, KnownSchedule, SourceState, Standing } from '../changes/feed-state.ts'
import { splitIntoChunks } from '../../platform/chunks.ts'
import { endHolds, insertHolds, listHolds, restateHolds } from './hold-store.ts'
import type { CardMove, Claim, Moves } from '../claims/claim.ts'
import type { Amounts, SourceRecord } from '../source-record.ts'
import { readLoads } from './run-store.ts'

const feedLock = 7_310_005

/**
 * Runs decide one after the other: what one source says may confirm what another says.
 * @throws FeatureError conflict, in a cell
 */
export async function lockRuns(trx: Trx): Promise<void> {
  if ((await readFeedRole(trx)) !== 'own') throw new FeatureError(refusedInCell, { code: 'conflict' })
  await sql`select pg_advisory_xact_lock(${sql.lit(feedLock)})`.execute(trx)
}

/** All claims, and what is served by them. 10,000 claims are some 20 MB. */
export async function readFeedState(db: Db): Promise<FeedState> {
  const claims = await readClaims(db)
  const standings = await readStandings(db)
  const prices = (await selectRecords(db).execute()) as PriceRecord[]
  return {
    claims,
    standings: new Map(standings.map((standing) => [standing.key, standing])),
    served: new Map(prices.map((record) => [record.resource_id, record])),
    cards: await readRateCards(db),
    holds: await listHolds(db, { state: 'open' }),
  }
}

/** Claims by resource and source: all, those of a source, or those of some resources. */
export async function readClaims(
  db: Db,
  { source, keys }: { source?: string; keys?: readonly string[] } = {},
): Promise<Claim[]> {
  const rows = await db
    .selectFrom('feed_claims')
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .$if(keys !== undefined, (query) => query.where('resource_key', '=', sql<string>`any(${[...keys!]})`))
    .select(['source', 'resource_key', 'stated', 'moves', 'card_move', 'gone_runs', 'is_flood'])
    .select(utcText('first_seen').as('first_seen'))
    .select(utcTextOrNull('checked_at').as('checked_at'))
    .select(utcTextOrNull('last_seen').as('last_seen'))
    .select(utcTextOrNull('gone_since').as('gone_since'))
    .select(utcTextOrNull('removed_at').as('removed_at'))
    .orderBy('resource_key')
    .orderBy('source')
    .execute()
  const loads = await readLoads(db)
  return rows.map((row): Claim => {
    const load = loads.get(row.source)
    const lastSeen = row.last_seen ?? row.gone_since ?? load?.lastObservedAt ?? row.first_seen
    return {
      source: row.source,
      key: row.resource_key,
      stated: row.stated as unknown as SourceRecord,
      moves: row.moves as unknown as Moves,
      cardMove: row.card_move as unknown as CardMove | null,
      firstSeen: row.first_seen,
      lastSeen,
      checkedAt: row.checked_at,
      isFlood: row.is_flood,
      goneSince: row.gone_since,
      goneRuns: row.gone_runs,
      removedAt: row.removed_at,
    }
  })
}

async function readStandings(db: Db): Promise<Standing[]> {
  return db
    .selectFrom('price_standings')
    .select([
      'resource_key as key',
      'resource_id',
      'source',
      'is_confirmed as isConfirmed',
      'rule',
      'evidence',
    ])
    .select(sql`coalesce(rate_evidence, '{}')`.as('rateEvidence'))
    .select(utcTextOrNull('gone_since').as('goneSince'))
    .select(sql<string | null>`retires_on::text`.as('retiresOn'))
    .$castTo<Standing>()
    .execute()
}

/** What is known of a source. */
export async function readSourceState(db: Db, source: string): Promise<SourceState> {
  const row = await db
    .selectFrom('feed_sources')
    .select(utcTextOrNull('last_observed_at').as('last_observed_at'))
    .where('feed_sources.source', '=', source)
    .executeTakeFirst()
  const claim = await db
    .selectFrom('feed_claims')
    .select('source')
    .where('source', '=', source)
    .limit(1)
    .executeTakeFirst()
  const schedules = await db
    .selectFrom('scheduled_prices')
    .select(['resource_id', sql<string>`starts_on::text`.as('starts_on'), 'amounts', 'reminded_days'])
    .where('source', '=', source)
    .orderBy('scheduled_prices.starts_on')
    .execute()
  return {
    source,
    isFirst: claim === undefined,
    lastObservedAt: row?.last_observed_at ?? null,
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

export interface DecisionContext {
  source: string
  runId: string
  observedAt: string
}

/** Writes all of a decision except its drafts, which are published separately. */
export async function writeDecision(
  trx: Trx,
  decision: Decision,
  { source, runId, observedAt }: DecisionContext,
): Promise<void> {
  for (const chunk of splitIntoChunks(decision.claims, chunkRows))
    await writeClaims(trx, chunk, { runId, observedAt })
  await endHolds(trx, decision.withdrawnHolds, 'withdrawn', observedAt, { note: null })
  await endHolds(trx, decision.confirmedHolds, 'confirmed', observedAt, {
    note: 'what is said now confirms it',
  })
  for (const chunk of splitIntoChunks(decision.newHolds, chunkRows)) await insertHolds(trx, chunk, runId)
  for (const chunk of splitIntoChunks(decision.restatedHolds, chunkRows)) await restateHolds(trx, chunk)
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
  await removePrices(trx, decision.left)
  await writePrices(trx, decision.served, { runId, observedAt })
  await writeStandings(trx, decision)
}

async function writeClaims(
  trx: Trx,
  claims: readonly Claim[],
  { runId, observedAt }: { runId: string; observedAt: string },
): Promise<void> {
  const rows = claims.map((claim) => ({
    source: claim.source,
    resource_key: claim.key,
    stated: claim.stated,
    moves: claim.moves,
    card_move: claim.cardMove,
    first_seen: claim.firstSeen,
    checked_at: claim.checkedAt,
    last_seen: claim.goneSince === null ? null : claim.lastSeen,
    is_flood: claim.isFlood,
    gone_since: claim.goneSince,
    gone_runs: claim.goneRuns,
    removed_at: claim.removedAt,
  }))
  await sql`
    with rows as (
      select * from jsonb_populate_recordset(null::feed_claims, ${JSON.stringify(rows)}::jsonb)
    ), kept as (
      insert into claim_versions (source, resource_key, observed_at, run_id, stated)
      select source, resource_key, ${observedAt}::timestamptz, ${runId},
        case when rows.removed_at is null then rows.stated end
      from rows
      left join feed_claims as before using (source, resource_key)
      where before.stated is distinct from rows.stated
        or (before.removed_at is null) is distinct from (rows.removed_at is null)
      on conflict (source, resource_key, observed_at) do update set stated = excluded.stated, run_id = excluded.run_id
    )
    insert into feed_claims
    select * from rows
    on conflict (source, resource_key) do update set
      stated = excluded.stated, first_seen = excluded.first_seen, moves = excluded.moves, card_move = excluded.card_move,
      checked_at = excluded.checked_at, last_seen = excluded.last_seen, is_flood = excluded.is_flood,
      gone_since = excluded.gone_since, gone_runs = excluded.gone_runs, removed_at = excluded.removed_at`.execute(
    trx,
  )
}

async function writeStandings(
  trx: Trx,
  { standings, endedStandings }: Pick<Decision, 'standings' | 'endedStandings'>,
): Promise<void> {
  await trx
    .deleteFrom('price_standings')
    .where('resource_key', '=', sql<string>`any(${endedStandings})`)
    .execute()
  for (const chunk of splitIntoChunks(standings, chunkRows)) {
    const rows = chunk.map((standing) => ({
      resource_key: standing.key,
      resource_id: standing.resource_id,
      source: standing.source,
      gone_since: standing.goneSince,
      retires_on: standing.retiresOn,
      is_confirmed: standing.isConfirmed,
      rule: standing.rule,
      evidence: standing.evidence,
      rate_evidence: standing.rateEvidence,
    }))
    await sql`
      insert into price_standings
      select * from jsonb_populate_recordset(null::price_standings, ${JSON.stringify(rows)}::jsonb)
      on conflict (resource_key) do update set
        resource_id = excluded.resource_id, source = excluded.source, gone_since = excluded.gone_since,
        retires_on = excluded.retires_on, is_confirmed = excluded.is_confirmed, evidence = excluded.evidence,
        rule = excluded.rule, rate_evidence = excluded.rate_evidence`.execute(trx)
  }
}

// Rows per statement: keeps a parameter well under a megabyte.
const chunkRows = 1_000
