import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { connect, isDatabaseUnavailable } from '../database/connect.ts'
import { makeExports } from '../feed/exports/make-exports.ts'
import { createSigner } from '../feed/exports/signature.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import type { ExportsAnswer, ExportsTask } from './exports-maker.ts'

// The files that other programs load, in a thread and on a connection of its own: `exports-maker.ts` starts it.

async function work({ connectionString, secret }: ExportsTask): Promise<ExportsAnswer> {
  const db = connect({ connectionString, connectionsMax: 1 })
  try {
    await makeExports(db, createSigner(secret))
    return { failure: null }
  } finally {
    await db.destroy()
  }
}

if (!isMainThread && parentPort) {
  lowerThreadPriority()
  const answer = await work(workerData as ExportsTask).catch((error: unknown): ExportsAnswer => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure: { isOutage: isDatabaseUnavailable(error), message } }
  })
  parentPort.postMessage(answer)
}
