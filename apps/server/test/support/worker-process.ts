import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { environment, program } from './process.ts'

// `ratecard worker` as a process of its own, which the test can kill.

export interface WorkerProcess {
  child: ChildProcess
  /** Its log so far. */
  log: () => string
  /** Sends SIGTERM and resolves to the exit code. */
  stop: () => Promise<number | null>
  /** Ends it as a power cut would. */
  kill: () => Promise<void>
}

/** Starts a worker and waits until it sends. It ends with the test at the latest. */
export async function startWorker(
  env: Record<string, string>,
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [program, 'worker', '--json'], {
    env: environment({ ADMIN_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await closed
  }
  atEnd(() => end('SIGKILL'))
  // It reports its port, as JSON, when it sends.
  const ready = new Promise<boolean>((resolve) => child.stdout.once('data', () => resolve(true)))
  if (!(await Promise.race([ready, closed.then(() => false)])))
    throw new Error(`The worker ended at its start:\n${log}`)
  return {
    child,
    log: () => log,
    stop: async () => {
      await end('SIGTERM')
      return child.exitCode
    },
    kill: () => end('SIGKILL'),
  }
}
