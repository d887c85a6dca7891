import { lowerThreadPriority } from '../../platform/thread-priority.ts'
import { readVersion } from '../../platform/version.ts'
import { answerInThread } from '../../threads/answer.ts'
import { RemoteTools } from './generated/remote.js'
import type { Answered, Asked } from './tool-thread.ts'

// The tools with all prices: `tool-thread.ts` starts it, and asks one thing after the other.

let failure: string | null = null
const tools = new RemoteTools(readVersion(), (error) => {
  failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
})

answerInThread(async (asked: Asked): Promise<Answered | null> => {
  lowerThreadPriority()
  if ('prices' in asked) {
    tools.load(new TextDecoder().decode(asked.prices))
    return null
  }
  failure = null
  return { answer: await tools.answer(asked.request), failure }
})
