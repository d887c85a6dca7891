import { z } from 'zod'
import { inThread, type ThreadLimits } from '../../threads/thread.ts'
import type { PublishingTask } from '../publish/publishing-task.ts'
import type { AcceptedAs } from './review.ts'
import { Units } from '../../platform/forms.ts'

/** A person's decision on moves that wait. */
export interface HoldDecision {
  ids: readonly string[]
  /** The address of the operator. */
  by: string
  /** `null`: they are rejected. */
  as: AcceptedAs | null
  note: string | null
}

export interface DecisionTask extends HoldDecision {
  publishing: PublishingTask
}

export const ReviewOutcome = z.strictObject({
  decided: Units,
  changes: z.array(z.string()),
  deliveries: Units,
})
export type DecisionOutcome = z.infer<typeof ReviewOutcome>

// An operator's request is blocked on this. Judging 10,000 claims takes 2 s.
const limits: ThreadLimits = { memoryMb: 512, timeoutMs: 60_000 }

/**
 * Decides all of the named moves, or none, and serves and publishes what follows.
 * @throws FeatureError when one of them does not wait, or when a source is being taken in
 */
export function decideInThread(task: DecisionTask): Promise<DecisionOutcome> {
  return inThread(new URL('./decision-thread.ts', import.meta.url), task, limits)
}
