import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../src/database/embedded.ts'
import { findProgram } from './proxy.ts'
import { until } from './until.ts'

// PgBouncer as a program of this machine, with the defaults of the one that is installed but for what is set here.

export const pgbouncer = findProgram('pgbouncer')

export interface Pooler {
  /** The database's URL through it. */
  url: string
  /** Ends it as a power cut would. */
  kill: () => Promise<void>
  start: () => Promise<void>
}

// It does not run as root, and needs no rights at all.
const nobody = 65_534

/** Starts it in front of a database. */
export async function startPooler(
  databaseUrl: string,
  mode: 'session' | 'transaction',
  atEnd: (end: () => Promise<void>) => void,
  settings = '',
): Promise<Pooler> {
  const target = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-pgbouncer-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const password = target.password ? ` password='${decodeURIComponent(target.password)}'` : ''
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${settings}
`,
  )
  await chmod(folder, 0o755)
  const url = new URL(databaseUrl)
  url.port = String(port)
  let child: ChildProcess | null = null
  const kill = async () => {
    if (!child) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    child = null
    await closed
  }
  const start = async () => {
    const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
    child = spawn(pgbouncer ?? 'pgbouncer', ['-q', file], { stdio: 'ignore', cwd: '/', ...asNobody })
    await until('PgBouncer', async () => {
      const client = new pg.Client({ connectionString: url.href })
      client.on('error', () => undefined)
      await client.connect()
      await client.end()
      return true
    })
  }
  atEnd(kill)
  await start()
  return { url: url.href, kill, start }
}
