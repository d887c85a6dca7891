import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../platform/thread-priority.ts'
import { RemoteTools, type RemoteAnswer } from './generated/remote.js'
import type { Heard, Told } from './tool-thread.ts'

// The tools with all prices: `tool-thread.ts` starts it, and tells it one thing after the other.

if (!isMainThread && parentPort) {
  lowerThreadPriority()
  const port = parentPort
  const { version } = workerData as { version: string }
  let failure: string | null = null
  const report = (error: unknown) => {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const tools = new RemoteTools(version, report)
  const work = async (told: Told): Promise<RemoteAnswer | null> => {
    if ('request' in told) return tools.answer(told.request)
    tools.load(new TextDecoder().decode(told.prices))
    return null
  }
  port.on('message', (told: Told) => {
    failure = null
    void work(told)
      .catch((error: unknown) => {
        report(error)
        return null
      })
      .then((answer) => port.postMessage({ answer, failure } satisfies Heard))
  })
}
