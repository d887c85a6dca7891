import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { drainDelayMs, publicUrl, type Config } from '../platform/config.ts'
import type { Logger } from '../platform/logger.ts'
import { renderTogether } from '../platform/metrics.ts'
import { askReport } from '../platform/process-reports.ts'
import { degradedBy, combineReadiness, unavailable } from '../platform/readiness.ts'
import { UserError } from '../platform/user-error.ts'
import {
  openProcessAdmin,
  reachSchema,
  runProcess,
  startWorkerWhenAvailable,
  stopped,
} from './process-life.ts'

const restartMs = 1_000
/** Longer than a process takes to answer what it has begun. */
const stopTimeoutMs = 15_000

export interface ServeProcessesOptions {
  config: Config
  logger: Logger
  /** How many processes serve the API. */
  count: number
  /** The command line of each of them, from the command's name on. */
  args: string[]
  migrate: boolean
  /** Send alerts, from the first process. */
  worker: boolean
  onListening?: (addresses: { url: string; adminPort: number }) => void
}

/**
 * Serves the API from several processes on one port, until SIGINT or SIGTERM. This process serves nothing itself: it
 * passes connections on, sends alerts, answers on the admin port for all, and replaces a process that ends.
 */
export function serveProcesses(options: ServeProcessesOptions): Promise<void> {
  const { config, logger } = options
  return runProcess(config, logger, async (context) => {
    const { metrics, resources, stop, ending } = context
    const begun = new WeakSet<Worker>()
    const askReadiness = async (child: Worker) => {
      const report = await askReport(child)
      if (report) begun.add(child)
      else if (begun.has(child)) return degradedBy('a process is too busy to answer')
      return report?.readiness ?? unavailable('a process is starting')
    }
    const askAll = () => Promise.all(listProcesses().map(askReport))
    const readiness = async () => {
      const processes = listProcesses()
      if (processes.length < options.count) return unavailable('a process is missing')
      return combineReadiness(await Promise.all(processes.map(askReadiness)))
    }
    const whyNoDatabase = async () => {
      const reports = await askAll()
      const missing = 'no process says how the database is'
      const reasons = reports.map((report) => (report ? report.whyNoDatabase : missing))
      return reasons.length === 0 ? missing : (reasons.find((reason) => reason !== null) ?? null)
    }
    const render = async () => {
      const reports = await askAll()
      return renderTogether([
        await metrics.collect(),
        ...reports.flatMap((report) => (report ? [report.metrics] : [])),
      ])
    }
    const adminPort = await openProcessAdmin(context, { readiness, whyNoDatabase }, render)
    const workers = new ClusterWorkers(options, ending.leaving)
    resources.defer(() => workers.stop())
    const port = await workers.start()
    const url = publicUrl(config, port)
    ending.delayBy(drainDelayMs(config))
    options.onListening?.({ url, adminPort })

    const work = async () => {
      if (!options.worker) return
      await reachSchema(context, options)
      const worker = await startWorkerWhenAvailable(context, url)
      if (worker) resources.defer(() => worker.stop())
    }
    return () => Promise.all([work(), Promise.race([workers.failed, stopped(stop)])])
  })
}

function listProcesses(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** The processes that serve. */
class ClusterWorkers {
  readonly #options: ServeProcessesOptions
  readonly #leaving: AbortSignal
  #isStopping = false
  readonly #failure = Promise.withResolvers<never>()
  /** Rejects when they cannot serve. */
  readonly failed = this.#failure.promise

  /** @param leaving a signal may reach all processes: those that end by it are not replaced */
  constructor(options: ServeProcessesOptions, leaving: AbortSignal) {
    this.#options = options
    this.#leaving = leaving
    this.failed.catch(() => undefined)
  }

  /** Resolves to the port once the first listens. */
  async start(): Promise<number> {
    cluster.setupPrimary({ args: this.#options.args })
    const first = Promise.withResolvers<number>()
    cluster.on('listening', (_worker, { port }) => first.resolve(port))
    for (let index = 0; index < this.#options.count; index += 1) this.#fork()
    return Promise.race([first.promise, this.failed])
  }

  #fork(): void {
    const child = cluster.fork()
    let hasListened = false
    child.once('listening', () => {
      hasListened = true
    })
    child.once('exit', (code: number | null, signal: string | null) => {
      if (this.#isStopping || this.#leaving.aborted) return
      // The process has logged what is wrong with the settings or the database; each new one would log it again.
      if (!hasListened && code !== 0 && signal === null)
        return this.#failure.reject(new UserError('A process could not serve: see its message above.'))
      this.#options.logger.error({ code, signal }, 'a process has ended: another takes its place')
      void setTimeout(restartMs).then(() => {
        if (!this.#isStopping && !this.#leaving.aborted) this.#fork()
      })
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const ended = listProcesses().map(async (child) => {
      if (child.isDead()) return
      const exit = once(child, 'exit')
      // A signal of the terminal has reached it already, and a second one would end it at once.
      if (child.isConnected()) child.send('stop')
      const timeout = new AbortController()
      const late = setTimeout(stopTimeoutMs, 'late', { signal: timeout.signal }).catch(() => 'called off')
      if ((await Promise.race([exit, late])) === 'late') {
        this.#options.logger.warn({ pid: child.process.pid }, 'a process does not end: it is killed')
        child.process.kill('SIGKILL')
      }
      timeout.abort()
      await exit
    })
    await Promise.all(ended)
  }
}
