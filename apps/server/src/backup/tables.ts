import type pg from 'pg'

// What of a database is in a backup: the rows of our tables. Tables, indexes and functions come from the migrations, and
// the queue is made anew from the deliveries. So a backup is of no version of PostgreSQL, and no role is in it.

export interface BackupTable {
  name: string
  /** In the order in which a line has them; those that PostgreSQL derives from others are left out. */
  columns: string[]
}

/** Tables that are not in a backup. */
export const leftOutTables: readonly string[] = [
  // They say how far the schema is, not what is in it.
  'kysely_migration',
  'kysely_migration_lock',
  // What lets somebody in for a while: who was signed out after the backup is not signed in by it.
  'auth_sessions',
  'auth_verifications',
  'mailed_links',
  // Of processes that ran when the backup was made.
  'meter_batchers',
  // Made anew from what is there: a worker writes them, and the next reading of a source brings its file.
  'export_files',
  'source_files',
  // Of the database that the backup was made of.
  'lost_commits',
]

/**
 * Tables that have rows before anybody has written: the migrations and idle workers make them. They come first: the
 * version of a list then moves on with the rows of the list, and is one that no page was ever read in.
 */
export const filledByItself: readonly string[] = ['list_versions', 'notice_progress']

/** Our tables, each after those that it refers to. */
export async function readTables(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `select c.relname as name,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum
      ) as columns,
      array(
        select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as refers_to
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all ($1)
    order by c.relname <> all ($2), c.relname`,
    [leftOutTables, filledByItself],
  )
  const ordered: BackupTable[] = []
  const waiting = new Set(rows)
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name))
    const next = [...waiting].find(({ refers_to }) => !refers_to.some((name) => names.has(name)))
    if (!next) throw new Error(`The tables ${[...names].join(', ')} refer to each other in a circle.`)
    waiting.delete(next)
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}
