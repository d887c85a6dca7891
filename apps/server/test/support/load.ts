import { expect, vi } from 'vitest'
import type { Answer } from './contract-check.ts'
import type { ServerProcess } from './process.ts'

/** For `expect.poll`: far longer than needed, so only an event that never happens fails. */
export const patience = { timeout: 60_000, interval: 5 }

/** Waits until these servers, which listen already, have the database and its schema. */
export async function becomeReady(servers: readonly ServerProcess[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const { adminUrl } of servers) expect((await fetch(`${adminUrl}/ready`)).status).toBe(200)
  }, patience)
}

/** One request of a load, and its outcome. */
export interface Outcome {
  worker: number
  startedMs: number
  endedMs: number
  answer?: Answer
  /** Why there was no answer. */
  failure?: unknown
}

export interface Load {
  /** All that has ended so far. */
  outcomes: Outcome[]
  /** Lets each worker finish its request, and resolves to everything that was sent. */
  stop: () => Promise<Outcome[]>
}

/** Clients that send one request after the other, each until it is stopped or until a request gets no answer. */
export function startLoad(workers: number, send: (worker: number) => Promise<Answer>): Load {
  const outcomes: Outcome[] = []
  let stopping = false
  const work = async (worker: number) => {
    while (!stopping) {
      const startedMs = performance.now()
      const result = await send(worker).then(
        (answer) => ({ answer }),
        (failure: unknown) => ({ failure }),
      )
      outcomes.push({ worker, startedMs, endedMs: performance.now(), ...result })
      if ('failure' in result) return
    }
  }
  const done = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  return {
    outcomes,
    stop: async () => {
      stopping = true
      await done
      return outcomes
    },
  }
}

/** How many answers there were of each status. */
export function countStatuses(answers: readonly (Answer | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const status = answer?.status ?? 'none'
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
