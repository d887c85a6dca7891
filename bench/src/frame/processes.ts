import { execFile, fork, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// What is measured, and what measures: each a process of its own that ends with this one, so the work of one delays no
// other.

/** A process that takes one job at a time. */
export interface JobRunner<Job, Result> extends AsyncDisposable {
  pid: number
  run: (job: Job) => Promise<Result>
  stop: () => Promise<void>
}

const PATH = process.env.PATH ?? ''

/** Starts a file of this folder that takes jobs, or a peer. Answers with what it says first, too. */
export async function startJobRunner<Job extends object, Result, Started = unknown>(
  file: string,
  env: Record<string, string> = {},
): Promise<JobRunner<Job, Result> & { started: Started }> {
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), { env: { PATH, ...env } })
  const { failed, ...process } = running(child, file)
  const answer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown]
    return message
  }
  return {
    ...process,
    started: (await answer()) as Started,
    run: async (job) => {
      child.send(job)
      return (await answer()) as Result
    },
  }
}

/** Starts a peer that serves. */
export async function startPeer(file: string, env: Record<string, string>) {
  const { started, ...peer } = await startJobRunner<never, never, { port: number }>(`peers/${file}`, env)
  return { ...peer, ...started }
}

/** Does the jobs of the process that started this one, one at a time, and ends with it. */
export function takeJobs<Job>(run: (job: Job) => unknown): void {
  process.on('message', (job: Job) => {
    void Promise.resolve(run(job)).then((result) => process.send?.(result))
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Milliseconds by the machine's clock, which all processes share. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

const ownProgram = fileURLToPath(new URL('../../../apps/server/bin/ratecard.js', import.meta.url))

interface ServerOptions {
  connectionString: string
  /** Gets its log, as it is by default. */
  logFile: string
  env?: Record<string, string>
}

export interface Serving extends AsyncDisposable {
  name: string
  port: number
  pid: number
  stop: () => Promise<void>
}

/** The service itself, as people run it. */
export async function startServer(
  name: string,
  { connectionString, logFile, env }: ServerOptions,
): Promise<Serving> {
  const child = spawn(process.execPath, [ownProgram, 'serve', '--no-worker', '--json'], {
    env: {
      ...{ PATH, PORT: '0', ADMIN_PORT: '0', DATABASE_URL: connectionString },
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  const { failed, ...server } = running(child, `The server (see ${logFile})`)
  const [chunk] = (await Promise.race([once(child.stdout!, 'data'), failed])) as [Buffer]
  const { url, admin_port } = JSON.parse(chunk.toString()) as { url: string; admin_port: number }
  while ((await fetch(`http://127.0.0.1:${admin_port}/ready`)).status !== 200) await setTimeout(50)
  return { name, port: Number(new URL(url).port), ...server }
}

/** Runs `ratecard` with these words to its end. */
export async function runCommand(words: readonly string[], connectionString: string): Promise<void> {
  const env = { PATH, DATABASE_URL: connectionString }
  await promisify(execFile)(process.execPath, [ownProgram, ...words], { env })
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Ends with this process; `failed` rejects when it ends. */
function running(child: ChildProcess, name: string) {
  children.add(child)
  const closed = once(child, 'close').then(([code]: (number | null)[]) => {
    children.delete(child)
    return code
  })
  const failed = closed.then((code): never => {
    throw new Error(`${name} ended with ${code}.`)
  })
  // At the end all processes end, and no caller awaits this promise any more.
  failed.catch(() => undefined)
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  return { pid: child.pid ?? 0, failed, stop, [Symbol.asyncDispose]: stop }
}
