import type { Db } from '../../database/connect.ts'
import { pricedMoves } from '../amounts.ts'
import type { ChangeDraft } from './change-draft.ts'
import { draftChanges, type DraftOptions, type Transition } from './draft-changes.ts'
import { readPast } from './past-store.ts'

/** The changes of a decision: what moved, judged by what was served and told before. */
export async function draftDecision(
  db: Db,
  { transitions, drafts }: { transitions: readonly Transition[]; drafts: readonly ChangeDraft[] },
  options: DraftOptions,
): Promise<ChangeDraft[]> {
  const priced = transitions.filter(
    ({ served, verdict }) => served && pricedMoves(served, verdict.record).length > 0,
  )
  const { newsDays } = options.policy.guards
  const since = new Date(Date.parse(options.at) - newsDays * 86_400_000).toISOString()
  const past = await readPast(
    db,
    priced.map(({ served }) => served!.resource_id),
    since,
  )
  return [...draftChanges(transitions, past, options), ...drafts]
}
