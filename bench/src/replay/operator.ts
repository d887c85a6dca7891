import type { Db } from '../../../apps/server/src/database/connect.ts'
import { resourceKey } from '../../../apps/server/src/ingest/match/names.ts'
import type * as Review from '../../../apps/server/src/ingest/review/review.ts'
import type { Subject } from '../judgement/rooms.ts'
import { agrees, rowsAt, type Moved } from './lists.ts'
import type { Reported } from './play.ts'
import { addDays, comparedAmounts, tellsMove, type Evidence } from './truth.ts'

// A person who looks the next day, and decides where what is known by then says how.

type Decided = 'move' | 'correction' | 'rejected' | null

export async function openOperator(subject: Subject, evidence: Evidence) {
  const { listHolds, acceptHolds, rejectHolds } = await subject.load<typeof Review>('ingest/review/review.ts')
  return async (db: Db, at: string): Promise<Reported[]> => {
    const holds = await listHolds(db, { state: 'open' })
    const old = holds.filter(({ firstSeen }) => addDays(firstSeen, 1) <= at)
    const byAnswer = Map.groupBy(old, (hold) => answerOf(hold, at, evidence))
    const reports: Reported[] = []
    const options = { by: null, observedAt: at, alerts: null }
    for (const as of ['move', 'correction'] as const) {
      const ids = (byAnswer.get(as) ?? []).map(({ id }) => id)
      if (ids.length > 0) reports.push(await acceptHolds(db, ids, { ...options, as }))
    }
    const ids = (byAnswer.get('rejected') ?? []).map(({ id }) => id)
    if (ids.length > 0) await rejectHolds(db, ids, { reason: 'two lists say otherwise', observedAt: at })
    return reports
  }
}

interface Held {
  source: string
  resource_id: string
  before: Moved
  after: Moved
}

/** The vendor's word counts first, then that of two other lists. */
function answerOf(hold: Held, at: string, evidence: Evidence): Decided {
  const moved = Object.entries(hold.after).filter(([column, amount]) => {
    return amount !== null && amount !== hold.before[column as keyof Moved]
  })
  const after = comparedAmounts(Object.fromEntries(moved))
  const columns = Object.keys(after) as (keyof Moved)[]
  if (columns.length === 0) return null
  const platform = hold.resource_id.slice(0, hold.resource_id.indexOf(':'))
  const row = { resource_id: hold.resource_id, platform, before: hold.before, after, isReturn: false }
  const isMonthOld = (on: string) => addDays(on, 30) <= at
  const known = evidence.moves.filter(({ on }) => on <= at && !isMonthOld(on))
  if (known.some((move) => tellsMove(move, row, { ...evidence, at }))) return 'move'
  const answers = [...evidence.lists].flatMap(([name, list]) => {
    if (name === hold.source) return []
    return agrees(rowsAt(list, resourceKey(hold.resource_id), at), after) ?? []
  })
  const yes = answers.filter(Boolean).length
  if (yes >= 2 && yes * 2 > answers.length) return 'correction'
  return answers.length - yes >= 2 && yes * 2 < answers.length ? 'rejected' : null
}
