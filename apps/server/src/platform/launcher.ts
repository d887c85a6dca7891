import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isAlive } from './is-alive.ts'

const run = promisify(execFile)
const lookMs = 500
const generations = 5

/**
 * Calls `onEnd` when an `npx` that started us has ended. npx dies of a SIGTERM without passing it on, and the signal is
 * meant for us: without this, `npx pnpm start` would leave a server behind that still holds the port.
 */
export async function watchLauncher(onEnd: () => void): Promise<void> {
  const launcher = await findNpx().catch(() => null)
  if (launcher === null) return
  const timer = setInterval(() => {
    if (isAlive(launcher)) return
    clearInterval(timer)
    onEnd()
  }, lookMs)
  timer.unref()
}

/** The pid of an npx above us: between are pnpm and the shells that both start. Null where there is none, or no `ps` to ask. */
async function findNpx(): Promise<number | null> {
  let pid = process.ppid
  for (let generation = 0; generation < generations; generation += 1) {
    const { stdout } = await run('ps', ['-o', 'ppid=,args=', '-p', String(pid)])
    const [, parent = '', args = ''] = /^\s*(\d+)\s+(.*)$/m.exec(stdout) ?? []
    if (/^(npm exec|npx)\b|\/(npx|npx-cli\.js)\b/.test(args)) return pid
    pid = Number(parent)
  }
  return null
}
