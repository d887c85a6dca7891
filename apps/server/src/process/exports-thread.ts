import { connect } from '../database/connect.ts'
import { makeExports } from '../feed/exports/make-exports.ts'
import { createSigner } from '../feed/exports/signature.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import type { ExportsTask } from './exports-maker.ts'
import { answerInThread } from './in-thread.ts'

// The files that other programs load, in a thread and on a connection of its own: `exports-maker.ts` starts it.

async function work({ connectionString, secret }: ExportsTask): Promise<void> {
  lowerThreadPriority()
  const db = connect({ connectionString, connectionsMax: 1 })
  try {
    await makeExports(db, createSigner(secret))
  } finally {
    await db.destroy()
  }
}

await answerInThread(work)
