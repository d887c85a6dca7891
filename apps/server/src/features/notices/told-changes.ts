import type { Db } from '../../database/connect.ts'
import { isShown, type ChangeAccess } from '../changes/change-access.ts'
import { listMoves } from '../changes/change-moves.ts'
import type { ToldChange } from './notice.ts'

/** Changes by id, in that order, with as much of each as a plan with this access may see. */
export async function readToldChanges(
  db: Db,
  ids: readonly string[],
  access: ChangeAccess,
): Promise<ToldChange[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'title', 'severity', 'product', 'diff_before', 'diff_after'])
    .where('id', 'in', ids)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (row === undefined) return []
    const moves = isShown('diff_before', access) ? listMoves(row) : []
    return [{ id, title: row.title, severity: row.severity, moves }]
  })
}
