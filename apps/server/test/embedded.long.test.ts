import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openEmbedded } from '../src/database/embedded.ts'
import { ratecard, startServer, type ServerProcess } from './support/process.ts'

// The embedded PostgreSQL under every kind of ending. Each test has a folder, and so a database, of its own.

const isRoot = process.getuid?.() === 0
const program = new URL('../bin/ratecard.js', import.meta.url).pathname
const soon = { timeout: 60_000, interval: 100 }

const folders: string[] = []
let dataDir = ''
const env = () => ({ DATA_DIR: dataDir })

const newDataDir = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-embedded-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return join(folder, 'data')
}
let made = ''
beforeAll(async () => {
  made = await newDataDir()
  expect(await ratecard(['migrate'], { DATA_DIR: made })).toMatchObject({ exitCode: 0 })
})
beforeEach(async () => {
  dataDir = await newDataDir()
})

/** A database that was made before: making one takes seconds. */
const useMade = () => execFileSync('cp', ['-a', made, dataDir])
afterAll(async () => {
  for (const folder of folders) {
    for (const pid of databasesUnder(folder)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
})

describe('users come and go', () => {
  test('commands need no server, keep what they write, and leave no process behind', async () => {
    useMade()
    const id = await createAccount()
    expect(await postmasters()).toEqual([])
    expect(await accountIds()).toEqual([id])
    expect(await postmasters()).toEqual([])
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down\n$/)
  })

  test('a command beside a server uses its database and leaves it running; the last user stops it', async () => {
    useMade()
    const server = await startServer(env())
    await expect.poll(() => isServing(server), soon).toBe(true)
    const running = await postmasters()
    expect(running).toHaveLength(1)
    const id = await createAccount()
    expect(await accountIds()).toEqual([id])
    expect(await postmasters()).toEqual(running)
    expect(await isServing(server)).toBe(true)
    expect(await server.stop()).toBe(0)
    expect(await postmasters()).toEqual([])
  })

  test('two servers started at once on one empty folder share the database; the first to go leaves it', async () => {
    const [left, right] = await Promise.all([startServer(env()), startServer(env())])
    await expect.poll(() => isServing(left), soon).toBe(true)
    await expect.poll(() => isServing(right), soon).toBe(true)
    expect(await postmasters()).toHaveLength(1)
    expect(await left.stop()).toBe(0)
    expect(await isServing(right)).toBe(true)
    expect(await right.stop()).toBe(0)
    expect(await postmasters()).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to the whole group, as a Ctrl-C is: the server ends with 0 and the database cleanly after it',
    async (signal) => {
      useMade()
      const group = await startGroup([process.execPath, program, 'serve', '--json'])
      group.kill(signal)
      expect(await group.ended).toEqual([0, null])
      await expectCleanStop()
    },
  )

  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(isOldNode)
  test.skipIf(oldNode === undefined)(
    `Ctrl-C with an older Node in front${oldNode === undefined ? ' (skipped: there is none here)' : ''}: the same`,
    async () => {
      useMade()
      const group = await startGroup([oldNode ?? '', program, 'serve', '--json'])
      group.kill('SIGINT')
      expect(await group.ended).toEqual([0, null])
      await expectCleanStop()
    },
  )
})

test('a database of a release without roles gets them while that release uses its tables', async () => {
  const database = await openEmbedded(dataDir, { settings: ['deadlock_timeout=30s'] })
  onTestFinished(() => database.release())
  const connection = async () => {
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const older = await connection()
  await older.query('create table one (); create table two (); alter database ratecard owner to ratecard')
  // It would be the one that is ended: it looks for a deadlock first.
  await older.query("set deadlock_timeout = '3s'; begin")
  await older.query('lock table two in access share mode')
  const joining = openEmbedded(dataDir)
  const looking = await connection()
  const isWaiting = async () => (await looking.query('select from pg_locks where not granted')).rowCount
  await expect.poll(isWaiting, { ...soon, interval: 5 }).toBe(1)
  // Each has what the other one wants. The release in use gets it, though it began to wait later.
  await older.query('lock table one in access share mode')
  // It may also keep what it has for longer than one attempt lasts.
  await setTimeout(1_500)
  await older.query('commit')
  await joining
  const { rows } = await looking.query(
    "select tableowner from pg_tables where schemaname = 'public' group by tableowner",
  )
  expect(rows).toEqual([{ tableowner: 'ratecard_owner' }])
})

describe('a start that fails', () => {
  test('for want of migrations says so, ends within seconds, and takes its database with it', async () => {
    const { exitCode, stderr } = await failStart(['serve', '--no-migrate'], { PORT: '0' })
    expect(stderr).toContain('The database lacks migrations')
    expect(exitCode).toBe(1)
    expect(await postmasters()).toEqual([])
  })

  test('because its port is taken does the same, though its database has work to do', async () => {
    useMade()
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const { exitCode, stderr } = await failStart(['serve'], { PORT: String(port) })
    expect(stderr).toContain('Set PORT to another port')
    expect(exitCode).toBe(1)
    expect(await postmasters()).toEqual([])
  })

  test('because its data is of another major version says how to take it along', async () => {
    useMade()
    await createAccount()
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    const { exitCode, stderr } = await failStart(['serve'], { PORT: '0' })
    expect(stderr).toMatch(/is of PostgreSQL 17, and this release runs PostgreSQL 18\. .*"ratecard backup"/)
    expect(exitCode).toBe(1)
  })

  test.skipIf(!isRoot)('because its disk is read-only says so at once', async () => {
    await mkdir(dataDir)
    execFileSync('mount', ['--bind', dataDir, dataDir])
    onTestFinished(() => void execFileSync('umount', [dataDir]))
    execFileSync('mount', ['-o', 'remount,bind,ro', dataDir])
    const { exitCode, stderr } = await failStart(['serve'], { PORT: '0' })
    expect(stderr).toContain(`cannot keep its files in ${dataDir}: its disk is read-only. Set DATA_DIR`)
    expect(exitCode).toBe(1)
  })

  /** It once started its database again and again, and never ended. */
  async function failStart(args: readonly string[], settings: Record<string, string>) {
    const ended = ratecard(args, { ...env(), ADMIN_PORT: '0', ...settings })
    const result = await Promise.race([ended, setTimeout(60_000)])
    if (!result) throw new Error('The command does not end.')
    return result
  }
})

describe('what was killed comes back', () => {
  test('the server: its database is adopted by the next user, with all data, and stops with it', async () => {
    useMade()
    const server = await startServer(env())
    const id = await createAccount()
    const running = await postmasters()
    await server.kill()
    expect(await postmasters()).toEqual(running)
    const next = await startServer(env())
    await expect.poll(() => isServing(next), soon).toBe(true)
    expect(await postmasters()).toEqual(running)
    expect(await accountIds()).toEqual([id])
    expect(await next.stop()).toBe(0)
    expect(await postmasters()).toEqual([])
  })

  test('the database under a running server: started again by itself, and served again', async () => {
    useMade()
    const server = await startServer(env())
    const id = await createAccount()
    const key = await createKey(id)
    await expect.poll(() => usage(server, key), soon).toBe(200)
    for (const pid of await postmasters()) process.kill(pid, 'SIGKILL')
    await expect.poll(() => usage(server, key), soon).toBe(503)
    await expect.poll(() => usage(server, key), soon).toBe(200)
    expect(await accountIds()).toEqual([id])
    expect(await server.stop()).toBe(0)
    expect(await postmasters()).toEqual([])
  })

  test('both, as by a power cut: the next command recovers all that was committed', async () => {
    useMade()
    const server = await startServer(env())
    const id = await createAccount()
    const pids = await postmasters()
    await server.kill()
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    expect(await accountIds()).toEqual([id])
    expect(await postmasters()).toEqual([])
  })

  test('a pid file that names a living process which is no database is not believed', async () => {
    useMade()
    const id = await createAccount()
    await writeStalePidFile(process.pid)
    expect(await accountIds()).toEqual([id])
  })

  test('an initialisation that was interrupted is begun again', async () => {
    await mkdir(join(dataDir, 'postgres/base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/postgresql.conf'), '# half')
    const id = await createAccount()
    expect(await accountIds()).toEqual([id])
  })
})

describe.skipIf(!isRoot)(`root${isRoot ? '' : ' (skipped: not root)'}`, () => {
  test('below a folder that only root may enter: files lie elsewhere, the place is said, data stays', async () => {
    const clone = join(folders.at(-1) ?? '', 'clone')
    await mkdir(clone, { mode: 0o700 })
    dataDir = join(clone, '.data')
    const first = await ratecard(['accounts', 'create', '--name', 'Acme', '--json'], env())
    const [, folder = ''] = /Its files are in (\S+)\.\n/.exec(first.stderr) ?? []
    onTestFinished(async () => {
      await rm(folder, { recursive: true, force: true })
      // Kept when another installation has files there too.
      await rmdir(dirname(folder)).catch(() => undefined)
    })
    expect(folder).toMatch(/^\/var\/lib\/ratecard\/[0-9a-f]{12}$/)
    expect(first.stderr).toContain(dataDir)
    expect(await accountIds()).toEqual([(JSON.parse(first.stdout) as { id: string }).id])
    expect(existsSync(dataDir)).toBe(false)
    const server = await startServer(env())
    expect(server.log()).toContain(folder)
    expect(await server.stop()).toBe(0)
    expect(databasesUnder(folder)).toEqual([])
  })

  test('another user than root runs the database as itself', async () => {
    const home = folders.at(-1) ?? ''
    await chmod(home, 0o777)
    const nobody = { uid: numberOf('id', '-u', 'nobody'), gid: numberOf('id', '-g', 'nobody') }
    const list = async () => {
      const child = spawn(process.execPath, [program, 'accounts', 'list', '--json'], {
        ...nobody,
        env: { PATH: process.env.PATH ?? '', ...env() },
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const [exitCode] = (await once(child, 'close')) as [number | null]
      return { exitCode, stdout, stderr }
    }
    expect(await list()).toEqual({
      exitCode: 0,
      stdout: '[]\n',
      stderr: expect.stringMatching(/^Migrated the database/) as string,
    })
    expect(await postmasters()).toEqual([])

    // PostgreSQL itself would wait for this process for ever: it is of the same user.
    const other = spawn('sleep', ['60'], { ...nobody, stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    await writeStalePidFile(other.pid ?? 0)
    expect(await list()).toEqual({ exitCode: 0, stdout: '[]\n', stderr: '' })
  })
})

/** As a power cut leaves it; the pid and even the port belong to other programs by now. */
async function writeStalePidFile(pid: number): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const pgdata = join(dataDir, 'postgres')
  await writeFile(
    join(pgdata, 'postmaster.pid'),
    `${pid}\n${pgdata}\n1700000000\n${port}\n\n127.0.0.1\n  1  1\nready   \n`,
  )
}

async function createAccount(): Promise<string> {
  const { exitCode, stdout, stderr } = await ratecard(
    ['accounts', 'create', '--name', 'Acme', '--json'],
    env(),
  )
  expect(exitCode, stderr).toBe(0)
  return (JSON.parse(stdout) as { id: string }).id
}

async function createKey(accountId: string): Promise<string> {
  const { stdout } = await ratecard(['keys', 'create', '--account', accountId, '--json'], env())
  return (JSON.parse(stdout) as { key: string }).key
}

async function accountIds(): Promise<string[]> {
  const { exitCode, stdout, stderr } = await ratecard(['accounts', 'list', '--json'], env())
  expect(exitCode, stderr).toBe(0)
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
}

async function isServing({ adminUrl }: ServerProcess): Promise<boolean> {
  return (await fetch(`${adminUrl}/ready`)).ok
}

async function usage({ url }: ServerProcess, key: string): Promise<number> {
  return (await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status
}

/** Process ids of the databases of this test's folder. */
async function postmasters(): Promise<number[]> {
  return Promise.resolve(databasesUnder(dataDir))
}

function databasesUnder(folder: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  const found = new Map<number, number>()
  for (const line of lines) {
    const [, pid, parent, state] = /^\s*(\d+)\s+(\d+)\s+(\S)/.exec(line) ?? []
    if (line.includes(`-D ${folder}/`) && state !== 'Z') found.set(Number(pid), Number(parent))
  }
  // A process that it has just forked still looks like it.
  return [...found].filter(([, parent]) => !found.has(parent)).map(([pid]) => pid)
}

interface Group {
  kill: (signal: NodeJS.Signals) => void
  ended: Promise<[number | null, NodeJS.Signals | null]>
}

/** Starts a program as a terminal does: in a process group of its own, which gets the keyboard's signals. */
async function startGroup([file = '', ...args]: readonly string[]): Promise<Group> {
  const child: ChildProcess = spawn(file, args, {
    detached: true,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: '0', ...env() },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close') as Group['ended']
  const kill = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) kill('SIGKILL')
  })
  let stdout = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  await expect.poll(() => stdout, soon).toMatch(/\}\n$/)
  const { admin_port: port } = JSON.parse(stdout) as { admin_port: number }
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok, soon).toBe(true)
  return { kill, ended }
}

/** The database did its last checkpoint itself, and nothing was killed. */
async function expectCleanStop(): Promise<void> {
  expect(await postmasters()).toEqual([])
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toMatch(/received fast shutdown request/)
  expect(log).toMatch(/database system is shut down\n$/)
  expect(log).not.toMatch(/not properly shut down|PANIC/)
}

function isOldNode(file: string): boolean {
  if (!existsSync(file)) return false
  return (
    execFileSync(file, ['-p', 'Boolean(process.features.typescript)'], { encoding: 'utf8' }) === 'false\n'
  )
}

function numberOf(file: string, ...args: string[]): number {
  return Number(execFileSync(file, args, { encoding: 'utf8' }))
}
