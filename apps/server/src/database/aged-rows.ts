import { sql, type RawBuilder } from 'kysely'
import type { Db } from './connect.ts'
import { deletedAtATime } from './steps.ts'

// Rows that are forgotten by their age. The oldest go first, a bounded number in one statement of its own, by an index:
// a clean-up that is killed has done so many steps, and the next one goes on where that ended. What another session
// holds is passed over, so a clean-up waits for nobody and two of them do not meet.

export interface AgedRows {
  /** It has an index that begins with `at`. */
  table: string
  /** The instant that their age is counted from. */
  at: string
  /** Which of them are forgotten at all, by the columns of `row`; default: every one. */
  goes?: RawBuilder<unknown>
  /** Most rows of a step. What goes with them (`on delete cascade`) comes on top. */
  rowsMax?: number
}

const chosen = ({ table, goes }: AgedRows) => sql`from ${sql.table(table)} as row where ${goes ?? sql`true`}`

// The clock is in a query of its own, which is asked once: it is read anew for each row else, and no index is used.
const before = (days: number) => sql`(select ratecard_now() - make_interval(days => ${days}::int))`

/** A step. @returns how many rows it deleted; as many as a step has: there may be more */
export async function deleteAged(db: Db, rows: AgedRows, days: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(rows.table)} where ctid = any (array(
      select row.ctid ${chosen(rows)} and row.${sql.ref(rows.at)} < ${before(days)}
      order by row.${sql.ref(rows.at)} limit ${chooseStep(rows)}::int
      for update of row skip locked
    ))`.execute(db)
  return Number(numAffectedRows)
}

export function chooseStep({ rowsMax = deletedAtATime }: Pick<AgedRows, 'rowsMax'>): number {
  return rowsMax
}

/** How old the oldest is that is forgotten by its age; null: there is none. */
export async function readOldestSeconds(db: Db, rows: AgedRows): Promise<number | null> {
  const { rows: found } = await sql<{ seconds: number }>`
    select extract(epoch from ratecard_now() - oldest.at)::float8 as seconds from (
      select row.${sql.ref(rows.at)} as at ${chosen(rows)} and row.${sql.ref(rows.at)} is not null
      order by row.${sql.ref(rows.at)} limit 1
    ) oldest`.execute(db)
  return found[0]?.seconds ?? null
}
