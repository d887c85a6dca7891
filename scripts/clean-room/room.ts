import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../packages/programs.ts'
import type { PublishedPackage } from '../packages/published.ts'
import type { RunningServer } from './server.ts'

/** What every step has at hand. */
export interface Context {
  /** Holds all rooms, outside the repository. */
  folder: string
  packages: PublishedPackage[]
  server: RunningServer
}

/** One thing a customer does. It throws when that does not work, and answers what is worth telling. */
export interface Step {
  name: string
  run: (context: Context) => Promise<string>
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
