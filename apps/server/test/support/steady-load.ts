import { setTimeout as wait } from 'node:timers/promises'
import { computeJobTimeout } from '../../src/queue/job-types.ts'
import type { Db } from '../../src/database/connect.ts'
import { createLogger } from '../../src/platform/logger.ts'
import { openQueue } from '../../src/queue/queue.ts'
import type { Customer } from './actors.ts'
import type { Answered } from './failover-verdict.ts'
import { publishMany } from './subscribers.ts'

// What goes on at a fixed rate, whatever becomes of the database below it.

const publishEveryMs = 500
const clientTimeoutMs = 10_000

export interface SteadyLoad {
  answers: Answered[]
  stop: () => Promise<void>
}

export interface Publishing {
  /** Changes whose publication was confirmed. */
  ids: string[]
  stop: () => Promise<void>
}

/** Requests at a fixed rate, however slow the answers are. */
export function startSteadyLoad(url: string, customers: readonly Customer[], perSecond: number): SteadyLoad {
  const answers: Answered[] = []
  const underWay = new Set<Promise<void>>()
  const send = async ({ key, keyId }: Customer) => {
    const startedMs = Date.now()
    const outcome = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(clientTimeoutMs),
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        const { status, headers } = answer
        const isOfDay = status === 200 && headers.get('x-ratelimit-topup') !== 'true'
        const number = `${headers.get('x-ratelimit-reset')} ${headers.get('x-ratelimit-remaining')}`
        return { status, number: isOfDay ? number : null }
      },
      () => ({ status: 0, number: null }),
    )
    answers.push({ keyId, ...outcome, startedMs, endedMs: Date.now() })
  }
  let sent = 0
  const timer = setInterval(() => {
    const sending = send(customers[(sent += 1) % customers.length]!).finally(() => underWay.delete(sending))
    underWay.add(sending)
  }, 1_000 / perSecond)
  const stop = async () => {
    clearInterval(timer)
    await Promise.all(underWay)
  }
  return { answers, stop }
}

/** An alert to all endpoints every now and then. What fails is not tried again. */
export async function startPublishing(db: Db, url: string, attemptTimeoutMs: number): Promise<Publishing> {
  const jobTimeoutSeconds = computeJobTimeout({ WEBHOOK_TIMEOUT: attemptTimeoutMs })
  const logger = createLogger('silent')
  const queue = await openQueue({ connectionString: url, jobTimeoutSeconds, logger, supervise: false })
  const ids: string[] = []
  let goesOn = true
  const publish = async () => {
    while (goesOn) {
      const publication = await publishMany(db, queue, 1).catch(() => null)
      ids.push(...(publication?.ids ?? []))
      await wait(publishEveryMs)
    }
  }
  const published = publish()
  const stop = async () => {
    if (!goesOn) return
    goesOn = false
    await published
    await queue.stop()
  }
  return { ids, stop }
}
