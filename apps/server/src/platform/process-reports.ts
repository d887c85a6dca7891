import type { Worker } from 'node:cluster'
import type { Readiness } from './readiness.ts'

// How the processes of one server report to the first: it asks, each answers, over the channel that Node gives a forked
// process.

/** The state of one process. */
export interface ProcessReport {
  readiness: Readiness
  /** Why its database cannot serve, or null when it can. */
  whyNoDatabase: string | null
  /** Its figures, as `registry.getMetricsAsJSON` gives them. */
  metrics: unknown
}

interface Question {
  ask: 'report'
  id: number
}

interface Answer extends ProcessReport {
  reportId: number
}

/** Of which a process may take 300 ms to look at its database. Kubernetes gives the whole probe a second. */
const answerTimeoutMs = 450

/** In a forked process: answers whenever the first one asks. */
export function answerReports(report: () => Promise<ProcessReport>): void {
  process.on('message', (message: Partial<Question>) => {
    if (message.ask !== 'report' || message.id === undefined) return
    const { id } = message
    void report().then((content) => process.send?.({ reportId: id, ...content } satisfies Answer))
  })
}

let questions = 0

/** In the first process: the state of this worker; null when it does not answer. */
export function askReport(worker: Worker): Promise<ProcessReport | null> {
  questions += 1
  const id = questions
  return new Promise((resolve) => {
    const finish = (report: ProcessReport | null) => {
      clearTimeout(timer)
      worker.off('message', listen)
      resolve(report)
    }
    const listen = (message: Partial<Answer>) => {
      if (message.reportId === id) finish(message as Answer)
    }
    const timer = setTimeout(() => finish(null), answerTimeoutMs)
    worker.on('message', listen)
    if (worker.isConnected()) worker.send({ ask: 'report', id } satisfies Question)
    else finish(null)
  })
}
