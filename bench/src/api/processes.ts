import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LoadJob, LoadResult } from './load.ts'

// What is measured, and what measures: each a process of its own that ends with this one.

export interface Serving extends AsyncDisposable {
  name: string
  port: number
  pid: number
  stop: () => Promise<void>
}

/** One of the peers that serve HTTP. */
export async function startPeer(name: string, file: string, env: Record<string, string>): Promise<Serving> {
  const child = forkFile(`../peers/${file}`, env)
  const failed = failure(child, name)
  const [{ port }] = (await Promise.race([once(child, 'message'), failed])) as [{ port: number }]
  return { name, port, ...running(child) }
}

const ownProgram = fileURLToPath(new URL('../../../apps/server/bin/ratecard.js', import.meta.url))
const PATH = process.env.PATH ?? ''

export interface ProgramOptions {
  connectionString: string
  /** The program, when it is another checkout's. */
  program?: string
  /** Gets its log, as it is by default. */
  logFile: string
  /** Node's own options, such as those of its profiler. */
  nodeOptions?: readonly string[]
  env?: Record<string, string>
}

/** Starts `ratecard` with these words. Answers with it, and with what it says when it has started. */
export async function startProgram<Started>(
  words: readonly string[],
  { connectionString, program = ownProgram, logFile, nodeOptions = [], env }: ProgramOptions,
): Promise<{ child: ChildProcess; started: Started }> {
  const child = spawn(process.execPath, [...nodeOptions, program, ...words, '--json'], {
    env: {
      ...{ PATH, PORT: '0', ADMIN_PORT: '0', DATABASE_URL: connectionString },
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...env,
    },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  endWithUs(child)
  if (!child.stdout) throw new Error('The program has no output.')
  const failed = failure(child, `ratecard ${words.join(' ')} (see ${logFile})`)
  const [chunk] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer]
  return { child, started: JSON.parse(chunk.toString()) as Started }
}

/** The service itself, as people run it. */
export async function startServer(name: string, options: ProgramOptions): Promise<Serving> {
  const { child, started } = await startProgram<{ url: string; admin_port: number }>(
    ['serve', '--no-worker'],
    options,
  )
  const { url, admin_port } = started
  while ((await fetch(`http://127.0.0.1:${admin_port}/ready`)).status !== 200) await setTimeout(50)
  return { name, port: Number(new URL(url).port), ...running(child) }
}

/** Runs `ratecard` with these words to its end. */
export async function runCommand(args: readonly string[], connectionString: string): Promise<void> {
  const child = spawn(process.execPath, [ownProgram, ...args], {
    env: { PATH, DATABASE_URL: connectionString },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`ratecard ${args.join(' ')} ended with ${code}.`)
}

/** A process that takes one job at a time. */
export interface JobRunner<Job, Result> extends AsyncDisposable {
  pid: number
  run: (job: Job) => Promise<Result>
  stop: () => Promise<void>
}

export async function startJobRunner<Job extends object, Result>(
  file: string,
  env: Record<string, string> = {},
): Promise<JobRunner<Job, Result>> {
  const child = forkFile(`../${file}`, env)
  const failed = failure(child, file)
  await Promise.race([once(child, 'message'), failed])
  return {
    ...running(child),
    run: async (job) => {
      child.send(job)
      const [result] = (await Promise.race([once(child, 'message'), failed])) as [Result]
      return result
    },
  }
}

function running(child: ChildProcess) {
  const stop = () => end(child)
  return { pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop }
}

export type Load = JobRunner<LoadJob, LoadResult>

function forkFile(file: string, env: Record<string, string>): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { PATH, ...env } })
  endWithUs(child)
  return child
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function endWithUs(child: ChildProcess): void {
  children.add(child)
  child.once('close', () => children.delete(child))
}

/** Rejects when the process ends. */
function failure(child: ChildProcess, name: string): Promise<never> {
  const failed = once(child, 'close').then(([code]: (number | null)[]) => {
    throw new Error(`${name} ended with ${code}.`)
  })
  // At the end all processes end, and no caller awaits this promise any more.
  failed.catch(() => undefined)
  return failed
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}
