import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { parseInstant } from '../../platform/instant.ts'
import { UserError } from '../../platform/user-error.ts'

/** How far the clock of a file's own machine may be ahead of the database's. */
const aheadMsMax = 5 * 60_000

/**
 * The clock of a run, in UTC as all instants are stored: the given one, else the database's. A clock in the future would
 * refuse every later run until its day, and begin prices before theirs.
 * @throws UserError with exit code 2 when it is no time, or more than five minutes ahead of the database's clock
 */
export async function readClock(db: Db, observedAt: string | undefined): Promise<string> {
  const { rows } = await sql<{ now: string }>`
    select to_char(ratecard_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`.execute(db)
  const { now } = rows[0]!
  if (observedAt === undefined) return now
  const instant = parseInstant(observedAt)
  if (instant === null)
    throw new UserError(`"${observedAt}" is no time: write it as 2026-01-31T12:00:00Z.`, { exitCode: 2 })
  if (Date.parse(instant) > Date.parse(now) + aheadMsMax) {
    throw new UserError(
      `${instant} is in the future: it is ${now}. No source has said anything then; leave the time out for now.`,
      { exitCode: 2 },
    )
  }
  return instant
}
