import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The environment without what the caller's pnpm and settings put there: a customer's shell has none of it. */
const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|ratecard_|node_options$)/i.test(name)),
)

export interface ProgramOptions extends Pick<SpawnOptions, 'detached' | 'signal' | 'killSignal'> {
  cwd: string
  env?: Record<string, string>
}

/** Starts a program and gathers what it prints. */
export function start(command: string, args: string[], options: ProgramOptions) {
  const env = { ...shell, ...options.env }
  const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.errors += text))
  return { child, printed, closed: once(child, 'close') as Promise<[number | null]> }
}

const timeoutMs = 240_000

/** Runs a program to its end and answers its output. Fails with all it printed when its exit code is not 0. */
export async function run(command: string, args: string[], options: ProgramOptions): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  const { printed, closed } = start(command, args, { ...options, signal, killSignal: 'SIGKILL' })
  const [code] = await closed.catch((error: Error) => [error.message])
  if (code === 0) return printed.output
  throw new Error(
    `${[command, ...args].join(' ')}\nended with ${code ?? 'a signal'} in ${options.cwd}:\n${printed.output}${printed.errors}`,
  )
}

/** A server on a free port, until the end of the scope. */
export async function listen(server: Server, host = '127.0.0.1') {
  server.listen(0, host)
  await once(server, 'listening')
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
