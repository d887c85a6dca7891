import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import { chooseStandMs } from '../claims/doubts.ts'
import { feedPolicy } from '../policy.ts'

/** New rows of a source that came as a flood and are not served yet. They have no holds: there are too many. */
export interface Flood {
  source: string
  rows: number
  /** When the first of them came. */
  since: string
  /** One of them. */
  example: string
}

/** The floods that wait, by source. */
export async function readFloods(db: Db): Promise<Flood[]> {
  const standSeconds = chooseStandMs('flood', feedPolicy) / 1_000
  return db
    .selectFrom('feed_claims as claim')
    .innerJoin('feed_sources', 'feed_sources.source', 'claim.source')
    .select(['claim.source', sql<number>`count(*)::int`.as('rows')])
    .select(utcText(sql`min(claim.first_seen)`).as('since'))
    .select(sql<string>`min(stated->>'resource_id')`.as('example'))
    .where('is_flood', '=', true)
    .where('removed_at', 'is', null)
    .where(
      sql<boolean>`coalesce(claim.last_seen, gone_since, last_observed_at, first_seen) - first_seen
        < make_interval(secs => ${standSeconds})`,
    )
    .groupBy('claim.source')
    .orderBy('claim.source')
    .execute()
}
