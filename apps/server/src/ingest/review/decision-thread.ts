import { FeatureError } from '../../features/feature-error.ts'
import { answerInThread } from '../../threads/answer.ts'
import { connectForPublishing, openAlerts } from '../publish/publishing-task.ts'
import type { DecisionOutcome, DecisionTask } from './decide-in-thread.ts'
import { acceptHolds, rejectHolds } from './review.ts'

// An operator's decision, in a thread and on connections of its own: `decide-in-thread.ts` starts it.

// A run of a large list holds the lock of runs for some seconds, and somebody waits for the answer.
const lockMs = 10_000
const lockNotAvailable = '55P03'

answerInThread(async ({ publishing, ids, as, note, by }: DecisionTask): Promise<DecisionOutcome> => {
  await using resources = new AsyncDisposableStack()
  const db = resources.use(connectForPublishing(publishing, { lock_timeout: String(lockMs) }))
  try {
    if (as === null) {
      const holds = await rejectHolds(db, ids, { reason: note ?? '', by })
      return { decided: holds.length, changes: [], deliveries: 0 }
    }
    const alerts = as === 'move' ? await openAlerts(publishing, resources) : null
    const { holds, changes, deliveries } = await acceptHolds(db, ids, { as, note, by, alerts })
    return { decided: holds.length, changes: changes.flatMap(({ id }) => id ?? []), deliveries }
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
    throw new FeatureError('A source is being read. Nothing was decided: try again in a minute.', {
      code: 'conflict',
    })
  }
})
