import type { ChangeInput } from '../../../features/changes/change-input.ts'
import type { ChangeDraft } from '../change-draft.ts'
import type { ImpactPolicy } from '../../policy.ts'
import { daysBetween } from '../../days.ts'
import { findDeadline } from './deadline.ts'
import type { WordingContext } from './context.ts'
import { largestMove, listMoves, computeShare, type Move } from './moves.ts'
import { listRemovals } from './removal.ts'
import { boundedText, percentText } from './text.ts'

const most = 100
const notesCharsMax = 4_000

type Impact = Pick<
  ChangeInput,
  'impact_score' | 'impact_cost' | 'impact_migration' | 'impact_reliability' | 'impact_notes'
>

/** The cost of a change for users of the product, from 0 to 100; null where the kind of change has none. */
export function describeImpact(draft: ChangeDraft, context: WordingContext): Impact {
  const policy = context.policy.impact
  const impact_cost = costImpact(draft, policy)
  const impact_migration = migrationImpact(draft, context)
  const removals = listRemovals(draft, context).map((kind) => policy.removal[kind])
  const impact_reliability = removals.length > 0 ? Math.max(...removals) : null
  return {
    // The worst of the rows: a mean would hide it.
    impact_score: Math.max(0, impact_cost ?? 0, impact_migration ?? 0, impact_reliability ?? 0),
    impact_cost,
    impact_migration,
    impact_reliability,
    impact_notes: writeNotes(draft),
  }
}

function costImpact(draft: ChangeDraft, policy: ImpactPolicy): number | null {
  // A correction or a withdrawal changes no bill.
  if (draft.category === 'correction' || draft.status === 'withdrawn') return 0
  const moves = pricedMoves(draft)
  return moves.length > 0 ? Math.max(...moves.map((move) => weighMove(move, policy))) : null
}

function weighMove(move: Move, { doublings, riseWeight, cutWeight, cachedWeight }: ImpactPolicy): number {
  const factor = computeShare(move)!.plus(1).toNumber()
  const impact = Math.min(most, (most * Math.abs(Math.log2(factor))) / doublings)
  return Math.round(impact * (factor > 1 ? riseWeight : cutWeight) * (move.isCached ? cachedWeight : 1))
}

function migrationImpact(draft: ChangeDraft, { policy, today }: WordingContext): number | null {
  const deadline = findDeadline(draft)
  if (draft.category !== 'deprecation' || deadline === null) return null
  const { migrationDays, migrationMin } = policy.impact
  const days = daysBetween(today, deadline)
  if (days < 0) return migrationMin
  return Math.max(migrationMin, Math.round(most * (1 - days / migrationDays)))
}

function writeNotes(draft: ChangeDraft): string | null {
  if (draft.category === 'correction') {
    return 'The record was wrong or late. What was computed from the record before should be computed again.'
  }
  const move = largestMove(pricedMoves(draft))
  if (move === null) return null
  return boundedText(
    `Largest move: ${move.name} ${percentText(computeShare(move)!)} of ${move.resource_id}.`,
    notesCharsMax,
  )
}

function pricedMoves(draft: ChangeDraft): Move[] {
  if (draft.category === 'correction' || draft.category === 'metadata') return []
  return listMoves(draft).filter((move) => computeShare(move) !== null)
}
