import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { deletedAtATime } from '../../database/steps.ts'

/** A process asks for the outcome of its last batch for a day at most (reservation-batcher.ts). */
const keptDays = 7

/**
 * Forgets batchers whose process has ended, or has counted nothing for days: its next batch makes the row again. By the
 * clock that writes these rows. The age is looked at twice, because a row may be written between the two.
 */
export async function deleteOldBatchers(db: Db): Promise<number> {
  const before = sql`(select clock_timestamp() - make_interval(days => ${keptDays}::int))`
  const { numAffectedRows = 0n } = await sql`
    delete from meter_batchers
    where id in (select id from meter_batchers where updated_at < ${before} limit ${deletedAtATime}::int)
      and updated_at < ${before}`.execute(db)
  return Number(numAffectedRows)
}
