import { connect } from '../database/connect.ts'
import { makeExports } from './make-exports.ts'
import { createSigner } from './signature.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import type { ExportsTask } from './exports-maker.ts'
import { answerInThread } from '../threads/in-thread.ts'

// The files that other programs load, in a thread and on a connection of its own: `exports-maker.ts` starts it.

await answerInThread(async ({ connectionString, secret }: ExportsTask) => {
  lowerThreadPriority()
  await using db = connect({ connectionString, connectionsMax: 1 })
  await makeExports(db, createSigner(secret))
})
