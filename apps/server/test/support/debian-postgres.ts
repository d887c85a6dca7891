import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../src/database/embedded.ts'

// PostgreSQL as Debian packages it, with `pg_basebackup`, which the embedded one lacks.

const root = '/usr/lib/postgresql'
const account = process.getuid?.() === 0 ? postgresAccount() : undefined

/** The programs of the newest installed version, or why there are none. */
export const debianPostgres: { folder: string } | { missing: string } = findPrograms()

function findPrograms(): typeof debianPostgres {
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Boolean) : []
  for (const version of versions.sort((a, b) => b - a)) {
    const folder = join(root, String(version), 'bin')
    const isWhole = ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => existsSync(join(folder, name)))
    if (isWhole && version >= 15 && account !== null) return { folder }
  }
  return { missing: `no PostgreSQL 15 or newer with pg_basebackup under ${root}` }
}

/** PostgreSQL does not run as root. Null: there is no other user to run it. */
export function postgresAccount(): { uid: number; gid: number } | null {
  try {
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }))
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return null
  }
}

/** For a cluster that lets everybody in, and is not synced to disk. */
export function initdbArgs(data: string): string[] {
  return ['-D', data, '-U', 'ratecard', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C']
}

interface Cluster {
  url: string
  start: () => Promise<void>
  /** The process that all of its others descend from. */
  pid: () => Promise<number>
  /** Ends it as a power cut would. */
  stop: () => Promise<void>
}

export interface Replication {
  primary: Cluster
  replica: Cluster
  end: () => Promise<void>
}

/**
 * A server and a streaming replica of it, both running, in a folder of their own.
 * @param fsync whether they keep what they commit when the power fails
 */
export async function startReplication({ fsync = false } = {}): Promise<Replication> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-replication-'))
  if (account) await chown(folder, account.uid, account.gid)
  const clusters: Cluster[] = []
  const end = async () => {
    for (const cluster of clusters.reverse()) await cluster.stop().catch(() => undefined)
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  try {
    const primary = await openCluster(join(folder, 'primary'), fsync)
    clusters.push(primary)
    await run('initdb', initdbArgs(primary.data))
    await primary.start()
    const replica = await openCluster(join(folder, 'replica'), fsync)
    await run('pg_basebackup', ['-D', replica.data, '-R', '-X', 'stream', '-c', 'fast', '-d', primary.url])
    clusters.push(replica)
    await replica.start()
    return { primary, replica, end }
  } catch (error) {
    await end()
    throw error
  }
}

export interface OwnCluster extends Cluster {
  /** Where its files are. */
  data: string
  port: number
}

/** A folder that PostgreSQL's user may write to. */
export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 })
  if (account) await chown(path, account.uid, account.gid)
  return path
}

/** A new cluster, not started yet, whose socket is in its folder's parent. */
export async function initCluster(data: string, settings: readonly string[]): Promise<OwnCluster> {
  const cluster = await openCluster(data, false, settings)
  await run('initdb', initdbArgs(data))
  return cluster
}

/** Runs a program as PostgreSQL's user. */
export async function runAsPostgres(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: '/', ...account })
  return stdout
}

/** @param more settings of its own; they may name a folder for its socket */
export async function openCluster(
  data: string,
  fsync: boolean,
  more: readonly string[] = [],
): Promise<OwnCluster> {
  const port = await freePort()
  const settings = [
    ...['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='],
    `fsync=${fsync ? 'on' : 'off'}`,
    ...more,
  ]
  const options = settings.map((setting) => `-c "${setting}"`).join(' ')
  await mkdir(data, { mode: 0o700 })
  if (account) await chown(data, account.uid, account.gid)
  return {
    data,
    port,
    url: `postgres://ratecard@127.0.0.1:${port}/postgres`,
    start: () => run('pg_ctl', ['start', '-w', '-s', '-D', data, '-l', `${data}.log`, '-o', options]),
    pid: async () => Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8')),
    stop: () => run('pg_ctl', ['stop', '-w', '-s', '-D', data, '-m', 'immediate']),
  }
}

async function run(program: string, args: string[]): Promise<void> {
  const folder = 'folder' in debianPostgres ? debianPostgres.folder : ''
  await promisify(execFile)(join(folder, program), args, { cwd: '/', ...account })
}
