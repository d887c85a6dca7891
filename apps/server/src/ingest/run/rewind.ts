import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { UserError } from '../../platform/user-error.ts'
import { lockRuns } from '../publish/feed-store.ts'
import { readClock } from './run-clock.ts'
import type { SourceName } from '../sources/index.ts'

/** What was moved back. */
export interface RewindReport {
  source: string
  /** The clock of the source before and after, UTC. */
  from: string
  to: string
  /** Runs, and states of prices, that were said to be of a later time. */
  runs: number
  versions: number
}

/** A move whose `since` lies after the time, as text that sorts as the instants do. */
function takenBack(move: string, to: string): RawBuilder<unknown> {
  const value = sql.ref(move)
  return sql`case when ${value} ->> 'since' > ${to} then jsonb_set(${value}, '{since}', to_jsonb(${to}::text))
    else ${value} end`
}

/**
 * Takes the clock of a source back, after a run by a clock that was wrong: whatever the source is said to have stated
 * later was stated then. Amounts stay as they are until the source is read again.
 * @throws UserError with exit code 2 when there is nothing to take back, or the time is in the future
 */
export async function rewindSource(db: Db, source: SourceName, time: string): Promise<RewindReport> {
  const to = await readClock(db, time)
  return db.transaction().execute(async (trx) => {
    await lockRuns(trx)
    const known = await trx
      .selectFrom('feed_sources')
      .innerJoin('feed_runs', 'feed_runs.source', 'feed_sources.source')
      .select(utcText(sql`max(feed_runs.observed_at)`).as('observed_at'))
      .where('feed_sources.source', '=', source)
      .executeTakeFirst()
    const from = known?.observed_at as string | null | undefined
    if (from == null) throw new UserError(`${source} was never read.`, { exitCode: 2 })
    if (from <= to)
      throw new UserError(
        `The clock of ${source} is at ${from}, not after ${to}: there is nothing to take back.`,
        {
          exitCode: 2,
        },
      )
    const { numAffectedRows: versions = 0n } = await sql`
      update price_versions set observed_at = ${to}
      where observed_at > ${to}
        and run_id in (select id from feed_runs where source = ${source} and observed_at > ${to})`.execute(
      trx,
    )
    const { numAffectedRows: runs = 0n } = await sql`
      update feed_runs set observed_at = ${to} where source = ${source} and observed_at > ${to}`.execute(trx)
    await sql`
      update feed_sources set last_observed_at = least(last_observed_at, ${to}) where source = ${source}`.execute(
      trx,
    )
    await sql`
      update feed_claims set first_seen = least(first_seen, ${to}), gone_since = least(gone_since, ${to}),
        checked_at = least(checked_at, ${to}), last_seen = least(last_seen, ${to}),
        removed_at = least(removed_at, ${to}),
        moves = (
          select coalesce(jsonb_object_agg(key, ${takenBack('value', to)}), '{}') from jsonb_each(moves)
        ),
        card_move = ${takenBack('card_move', to)}
      where source = ${source}`.execute(trx)
    // Of several states that were stated later, the last one was stated then.
    await sql`
      delete from claim_versions as version
      where source = ${source} and observed_at >= ${to} and exists (
        select from claim_versions as later
        where later.source = version.source and later.resource_key = version.resource_key
          and later.observed_at > version.observed_at
      )`.execute(trx)
    await sql`
      update claim_versions set observed_at = ${to} where source = ${source} and observed_at > ${to}`.execute(
      trx,
    )
    await sql`
      update feed_holds set first_seen = least(first_seen, ${to}), decided_at = least(decided_at, ${to})
      where source = ${source}`.execute(trx)
    await sql`
      update scheduled_prices set learned_at = least(learned_at, ${to}) where source = ${source}`.execute(trx)
    return { source, from, to, runs: Number(runs), versions: Number(versions) }
  })
}
