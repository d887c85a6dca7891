import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'

/** How often a source states what is served. */
export interface SourceAgreement {
  source: string
  /** Amounts of served prices that the source states, and those of them that are served so. */
  amounts: number
  served: number
}

/** Of every source, from what stands behind each price: 13,000 prices take some 0.1 s. */
export async function listAgreement(db: Db): Promise<SourceAgreement[]> {
  const { rows } = await sql<SourceAgreement>`
    select statement.source, count(*)::int as amounts, count(*) filter (where is_served)::int as served
    from price_standings as standing, jsonb_each(standing.evidence) as field (name, said), lateral (
      select source, true as is_served from jsonb_array_elements_text(said -> 'said_by') as said_by (source)
      union all
      select source, false from jsonb_object_keys(said -> 'denied_by') as denied_by (source)
    ) as statement (source, is_served)
    group by statement.source order by statement.source`.execute(db)
  return rows
}
