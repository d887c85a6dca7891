import type { Db } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'

/** The newest changes, each with the day of its last move, `YYYY-MM-DD`. Incidents are passed, as lists pass them. */
export async function listChangeDays(db: Db, limit: number): Promise<{ id: string; day: string }[]> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', utcText('updated_at').as('updated')])
    .where('category', '<>', 'incident')
    .orderBy('changes.updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, updated }) => ({ id, day: updated.slice(0, 10) }))
}
