import type { Db } from '../../database/connect.ts'
import { readStoodSeconds } from '../../catalog/truth-store.ts'
import { readSide } from './change-moves.ts'
import { listChanges } from './change-store.ts'

/** A mistake of ours that was mended. */
export interface Correction {
  id: string
  title: string
  corrected_at: string
  /** How long the state before had been served; null: it is not known. */
  stood_seconds: number | null
}

export async function listCorrections(db: Db, limit: number): Promise<Correction[]> {
  const { rows } = await listChanges(db, { category: 'correction' }, { cursor: null, limit })
  const asked = rows.map(({ diff_before, created_at }) => {
    const [resourceId = ''] = readSide(diff_before)?.keys() ?? []
    return { resource_id: resourceId, before: created_at }
  })
  const stood = await readStoodSeconds(db, asked)
  return rows.map(({ id, title, created_at }, place) => ({
    ...{ id, title, corrected_at: created_at, stood_seconds: stood[place] ?? null },
  }))
}
