import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

// The program as operators run it: processes of their own, which the test can kill.

export const program = fileURLToPath(new URL('../../bin/ratecard.js', import.meta.url))

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
}

/**
 * A clean environment: settings of the developer's shell must not leak in. A source is read only where a test
 * asks for it: prices would come to tests that have their own.
 */
export function environment(env: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    FEED_SOURCES: '[]',
    // No balancer has to see them leave.
    DRAIN_DELAY: '0s',
    // Hundreds of processes run the same program: it is compiled once.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    ...env,
  }
}

/**
 * Runs `ratecard` with these words to its end.
 * @param from the program; default: the one of this tree
 */
export async function ratecard(
  args: readonly string[],
  env: Record<string, string>,
  from = program,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [from, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

export interface ServerProcess {
  url: string
  adminUrl: string
  child: ChildProcess
  /** All that it has logged so far. */
  log: () => string
  /** Sends SIGTERM and resolves to the exit code. */
  stop: () => Promise<number | null>
  /** Ends it as a power cut would. */
  kill: () => Promise<void>
}

/**
 * Starts `ratecard serve` (or `ratecard worker`, which has an admin port only) on free ports and waits until it
 * listens. It ends with the test at the latest.
 * @param atEnd registers the function that ends it; in a hook, where no test is running, pass your own
 * @param from the program; default: the one of this tree
 */
export async function startServer(
  env: Record<string, string>,
  args: readonly string[] = [],
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
  command: 'serve' | 'worker' = 'serve',
  from = program,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [from, command, '--json', ...args], {
    env: environment({ PORT: '0', ADMIN_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await closed
  }
  atEnd(() => end('SIGKILL'))
  const address = await Promise.race([stdout.document(), closed.then(() => null)])
  if (!address) throw new Error(`The server ended at its start:\n${stderr.text}`)
  const { url = '', admin_port } = address as { url?: string; admin_port: number }
  return {
    url: url.replace('localhost', '127.0.0.1'),
    adminUrl: `http://127.0.0.1:${admin_port}`,
    child,
    log: () => stderr.text,
    stop: async () => {
      await end('SIGTERM')
      return child.exitCode
    },
    kill: () => end('SIGKILL'),
  }
}

interface Collected {
  text: string
  /** Resolves when the text is one whole JSON document. */
  document: () => Promise<unknown>
}

function collect(stream: NodeJS.ReadableStream | null): Collected {
  const collected: Collected = {
    text: '',
    document: () =>
      new Promise((resolve) => {
        const look = () => {
          try {
            resolve(JSON.parse(collected.text))
          } catch {
            stream?.once('data', look)
          }
        }
        look()
      }),
  }
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => (collected.text += chunk))
  return collected
}
