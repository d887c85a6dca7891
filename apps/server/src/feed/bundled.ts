import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { readSource } from './read-source.ts'
import type { SourceName } from './sources/index.ts'

/**
 * Whether what is loaded of a source came from elsewhere and is at least as new as what the program contains. To read
 * that would take prices back to the day on which the program was built, at each interval.
 */
export async function isNewerThanBundled(db: Db, source: SourceName): Promise<boolean> {
  const loaded = await db
    .selectFrom('feed_runs')
    .select(['version', sql<string | null>`data_at::text`.as('data_at')])
    .where('source', '=', source)
    .where('outcome', '=', 'applied')
    .orderBy('observed_at', 'desc')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  if (!loaded || loaded.data_at === null) return false
  const bundled = await readSource(source, { now: new Date() })
  if (bundled.version === loaded.version) return false
  return bundled.data_at === null || bundled.data_at <= loaded.data_at
}
