import { DatabaseFailure, inThread, type ThreadLimits } from './in-thread.ts'

/** What the thread is started with. */
export interface ExportsTask {
  connectionString: string
  /** Of which the key that signs is made. */
  secret: string
}

export type ExportsAnswer = { failure: null | { isOutage: boolean; message: string } }

// All resources and the largest upstream file are in memory at a time: some 200 MB for 9,000 prices.
const limits: ThreadLimits = { memoryMb: 512, timeoutMs: 5 * 60_000, isExpendable: true }

/** Makes the files that other programs load, apart from the requests that are served. */
export async function makeExportsInThread(task: ExportsTask, signal: AbortSignal): Promise<void> {
  const { failure } = await inThread<ExportsAnswer>('./exports-thread.ts', task, limits, signal)
  if (failure === null) return
  throw failure.isOutage ? new DatabaseFailure(failure.message) : new Error(failure.message)
}
