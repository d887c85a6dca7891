import type { Db } from '../../database/connect.ts'
import { readSource } from './read-source.ts'
import { readLoads } from '../publish/run-store.ts'
import type { SourceName } from '../sources/index.ts'

/**
 * Whether what is loaded of a source came from elsewhere and is at least as new as what the program contains. To read
 * that would take prices back to the day on which the program was built, at each interval.
 */
export async function isNewerThanBundled(db: Db, source: SourceName): Promise<boolean> {
  const loaded = (await readLoads(db)).get(source)
  if (!loaded || loaded.dataAt === null) return false
  const bundled = await readSource(source, { now: new Date() })
  if (bundled.version === loaded.version) return false
  return bundled.data_at === null || bundled.data_at <= loaded.dataAt
}
