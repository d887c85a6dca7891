import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../database/connect.ts'
import { utcText, utcTextOrNull } from '../../database/keyset.ts'
import { selectRunSources } from '../publish/source-status.ts'
import { OptionalTimestamp, Timestamp, Units } from '../../platform/forms.ts'

// Sources that are shut out: what is served of them is what they said last, until a run is applied again.

/** A source whose last run was not taken in. What it said before is served. */
export const RefusedSource = z.strictObject({
  source: z.string(),
  outcome: z.enum(['held', 'refused', 'unreachable']),
  message: z.string().nullable(),
  /** When the first run was that was not taken in, after the last one that was. */
  since: Timestamp,
  runs: Units,
  /** When data was taken in last; null: never. */
  loaded_at: OptionalTimestamp,
  version: z.string().nullable(),
  to_do: z.string(),
  /** Which command it takes: one that takes the file as it is, or one that reads another. */
  remedy: z.enum(['accept_file', 'give_file']),
})
export type ShutOutSource = z.infer<typeof RefusedSource>

/** The sources whose last run was not applied, by name. */
export async function readRefusals(db: Db): Promise<ShutOutSource[]> {
  return (await readStreaks(db)).map(({ refusal }) => refusal)
}

/** The runs of a source since the last one that was applied. */
export interface Streak {
  refusal: ShutOutSource
  lastRun: string
  /** Since the first of them was written, and the first that was refused; null: none was. */
  seconds: number
  refusedSeconds: number | null
  /** Since operators were mailed of one of them; null: they were not. */
  toldSeconds: number | null
}

export async function readStreaks(db: Db): Promise<Streak[]> {
  const secondsSince = (instant: RawBuilder<unknown>) =>
    sql<number | null>`extract(epoch from ratecard_now() - ${instant})::float8`
  const rows = await selectRunSources(db)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('feed_runs as streak')
          .select(utcText(sql`min(streak.observed_at)`).as('since'))
          .select(sql<number>`count(*)::int`.as('runs'))
          .select(
            secondsSince(sql`min(created_at)`)
              .$castTo<number>()
              .as('seconds'),
          )
          .select(
            secondsSince(sql`min(created_at) filter (where outcome <> 'unreachable')`).as('refusedSeconds'),
          )
          .select(secondsSince(sql`max(told_at)`).as('toldSeconds'))
          .whereRef('streak.source', '=', 'feed_sources.source')
          .where('streak.outcome', '<>', 'applied')
          .where(
            sql<boolean>`(streak.id = run.id or loaded.id is null
            or (streak.observed_at, streak.created_at) > (loaded.observed_at, loaded.created_at))`,
          )
          .as('streak'),
      (join) => join.onTrue(),
    )
    .select(['feed_sources.source', 'run.outcome', 'run.message', 'streak.since', 'streak.runs'])
    .select(['run.id as lastRun', 'streak.seconds', 'streak.refusedSeconds', 'streak.toldSeconds'])
    .select(['loaded.version', utcTextOrNull('loaded.observed_at').as('loaded_at')])
    .select(sql<boolean>`run.rows > run.rejected`.as('isReadable'))
    .where('run.outcome', '<>', 'applied')
    .orderBy('feed_sources.source')
    .execute()
  return rows.map(({ isReadable, lastRun, seconds, refusedSeconds, toldSeconds, ...row }) => {
    const outcome = row.outcome as ShutOutSource['outcome']
    const refusal = { ...row, outcome, ...adviceOn(outcome, isReadable) }
    return { refusal, lastRun, seconds, refusedSeconds, toldSeconds }
  })
}

type Advice = Pick<ShutOutSource, 'to_do' | 'remedy'>

function adviceOn(outcome: ShutOutSource['outcome'], isReadable: boolean): Advice {
  if (outcome === 'unreachable') {
    const to_do =
      'It is asked again at its interval. When its address has moved, name the new one in FEED_SOURCES. Until then its file can be taken in by hand.'
    return { to_do, remedy: 'give_file' }
  }
  if (!isReadable) {
    const to_do =
      'No option takes such a file. Wait until its publisher mends it, or take in a whole one by hand.'
    return { to_do, remedy: 'give_file' }
  }
  const to_do =
    'Look at the file. When it is right, take it in as it is; else wait until its publisher mends it.'
  return { to_do, remedy: 'accept_file' }
}
