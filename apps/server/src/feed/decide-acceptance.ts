import type { ChangeDraft } from './change-draft.ts'
import { emptyDecision, type Decision, type FeedState, type Hold } from './feed-state.ts'
import { draftChanges, servedMoves, type RowTransition } from './draft-changes.ts'

export type AcceptedAs = 'move' | 'correction'

/**
 * What follows when held moves are believed after all: served, and drafts as the moves they are, or as corrections of
 * what was never true.
 */
export function decideAcceptance(
  state: FeedState,
  holds: readonly Hold[],
  { as, observedAt }: { as: AcceptedAs; observedAt: string },
): Decision {
  const decision = emptyDecision()
  const transitions: RowTransition[] = holds.flatMap(({ resource_id }) => {
    const before = state.records.get(resource_id)
    return before ? [{ before, after: { ...before, accepted: before.stated }, verified: true }] : []
  })
  decision.records = transitions.map(({ after }) => after)
  decision.served = servedMoves(transitions, state)
  const firstSeen = holds.map((hold) => hold.firstSeen).sort()[0] ?? observedAt
  const drafts = draftChanges(transitions, state, observedAt).map((draft) => ({ ...draft, firstSeen }))
  decision.drafts = as === 'correction' ? asCorrections(drafts) : drafts
  return decision
}

function asCorrections(drafts: readonly ChangeDraft[]): ChangeDraft[] {
  const byProduct = new Map<string, ChangeDraft>()
  for (const draft of drafts) {
    const same = byProduct.get(draft.product)
    const known = new Set(same?.rows.map((row) => row.resource_id))
    const rows = draft.rows.filter((row) => !known.has(row.resource_id))
    byProduct.set(draft.product, {
      ...(same ?? draft),
      category: 'correction',
      rows: [...(same?.rows ?? []), ...rows],
    })
  }
  return [...byProduct.values()]
}
