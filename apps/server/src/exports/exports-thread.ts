import { connect } from '../database/connect.ts'
import { makeExports } from './make-exports.ts'
import { createSigner } from './signature.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import type { ExportsTask } from './make-in-thread.ts'
import { answerInThread } from '../threads/answer.ts'

// The files that other programs load, in a thread and on a connection of its own: `make-in-thread.ts` starts it.

answerInThread(async ({ connectionString, secret }: ExportsTask) => {
  lowerThreadPriority()
  await using db = connect({ connectionString, connectionsMax: 1 })
  await makeExports(db, createSigner(secret))
})
