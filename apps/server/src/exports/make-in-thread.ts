import { inThread, type ThreadLimits } from '../threads/thread.ts'

/** What the thread is told. */
export interface ExportsTask {
  connectionString: string
  /** Of which the key that signs is made. */
  secret: string
}

// All resources and the largest upstream file are in memory at a time: some 200 MB for 9,000 prices.
const limits: ThreadLimits = { memoryMb: 512, timeoutMs: 5 * 60_000, isExpendable: true }

/** Makes the files that other programs load, apart from the requests that are served. */
export async function makeExportsInThread(task: ExportsTask, signal: AbortSignal): Promise<void> {
  await inThread(new URL('./exports-thread.ts', import.meta.url), task, limits, signal)
}
