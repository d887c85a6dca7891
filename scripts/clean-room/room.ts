import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PublishedPackage } from '../packages/published.ts'
import type { RunningServer } from './server.ts'

/** What every step has at hand. */
export interface Context {
  /** Holds all rooms, outside the repository. */
  folder: string
  packages: PublishedPackage[]
  server: RunningServer
}

/** The environment without what the caller's pnpm and settings put there: a customer's shell has none of it. */
export const shell = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|ratecard_|node_options$)/i.test(name)),
)

export interface RunOptions {
  cwd: string
  env?: Record<string, string>
  timeoutMs?: number
}

/** Runs a program to its end and answers its output. Fails with all it printed when its exit code is not 0. */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
  const { cwd, env = {}, timeoutMs = 240_000 } = options
  const child = spawn(command, args, {
    cwd,
    env: { ...shell, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(timeoutMs),
    killSignal: 'SIGKILL',
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close').catch((error: Error) => [error.message])) as [number | string]
  if (code === 0) return output
  throw new Error(
    `${[command, ...args].join(' ')}\nended with ${code ?? 'a signal'} in ${cwd}:\n${output}${errors}`,
  )
}

export const consumers = fileURLToPath(new URL('./consumers/', import.meta.url))

/**
 * An empty folder in which npm has installed the packed tarballs, and these packages besides.
 * @param files names in `consumers/` to copy into it
 */
export async function openRoom(
  { folder, packages }: Context,
  name: string,
  { install = [], files = [] }: { install?: string[]; files?: string[] } = {},
): Promise<string> {
  const room = join(folder, name)
  await mkdir(room)
  await writeFile(
    join(room, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  const npm = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  await run('npm', [...npm, ...packages.map(({ tarball }) => tarball), ...install], { cwd: room })
  for (const file of files) await cp(join(consumers, file), join(room, file), { recursive: true })
  return room
}

/** What a program needs to reach the real server, and to verify alerts. */
export function customerEnvironment({ server }: Context): Record<string, string> {
  return {
    RATECARD_BASE_URL: server.url,
    RATECARD_API_KEY: server.apiKey,
    RATECARD_WEBHOOK_SECRET: webhookSecret,
  }
}

export const webhookSecret = 'clean room secret of 33 characters'
