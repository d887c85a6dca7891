import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { lock } from 'proper-lockfile'
import { UserError } from '../platform/user-error.ts'
import { place, type Placement } from './embedded-binaries.ts'

// PostgreSQL of our own, for a machine that has none. Several processes may use one data folder at a time (a
// server, and commands beside it): the first starts the database, the last stops it. Each leaves a note with
// its pid under `users/`; a note whose process is gone counts for nothing, so nobody's crash keeps the
// database running for ever or takes it away from others. `pg_ctl` starts the database in a session of its
// own: a Ctrl-C in our terminal reaches us, and the database only when we stop it.

const run = promisify(execFile)
const startTimeoutMs = 60_000

export interface EmbeddedDatabase {
  connectionString: string
  /** Where the files lie; not under `DATA_DIR` when root runs from a folder only root may enter. */
  dataDir: string
  movedFrom?: string
  /** Starts the database again if it has died. */
  revive: () => Promise<void>
  /** Leaves the database; the last user stops it. */
  release: () => Promise<void>
}

export interface EmbeddedOptions {
  /** Settings for the server's command line, such as `fsync=off` for tests. */
  settings?: readonly string[]
}

/** Starts the cluster under `wantedDataDir`, or joins it when it runs already. */
export async function openEmbedded(
  wantedDataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const placement = await place(wantedDataDir)
  const cluster = new Cluster(placement, options.settings ?? [])
  const port = await cluster.join()
  return {
    connectionString: await cluster.connectionString(port),
    dataDir: placement.dataDir,
    ...(placement.movedFrom !== undefined && { movedFrom: placement.movedFrom }),
    revive: () => cluster.revive(port),
    release: () => cluster.leave(),
  }
}

/** A value that the embedded installation makes once and keeps beside its data, such as its secrets key. */
export async function keepSecret(dataDir: string, name: string, make: () => string): Promise<string> {
  const file = join(dataDir, name)
  try {
    await writeFile(file, make(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

class Cluster {
  readonly #placement: Placement
  readonly #settings: readonly string[]
  readonly #pgdata: string
  readonly #users: string

  constructor(placement: Placement, settings: readonly string[]) {
    this.#placement = placement
    this.#settings = settings
    this.#pgdata = join(placement.dataDir, 'postgres')
    this.#users = join(placement.dataDir, 'users')
  }

  /** Notes us as a user and returns the port of the running database. */
  async join(): Promise<number> {
    return this.#alone(async () => {
      await mkdir(this.#users, { recursive: true })
      await writeFile(join(this.#users, String(process.pid)), '')
      return (await this.#runningPort()) ?? (await this.#start(await freePort()))
    })
  }

  async leave(): Promise<void> {
    await this.#alone(async () => {
      await rm(join(this.#users, String(process.pid)), { force: true })
      if ((await this.#liveUsers()).length === 0 && (await this.#runningPort()) !== null) {
        await this.#pgCtl(['stop', '--mode=fast', '--timeout=30'])
      }
    })
  }

  async revive(port: number): Promise<void> {
    if ((await this.#runningPort()) !== null) return
    await this.#alone(async () => {
      if ((await this.#runningPort()) === null) await this.#start(port)
    })
  }

  async connectionString(port: number): Promise<string> {
    return `postgres://ratecard:${await this.#password()}@127.0.0.1:${port}/ratecard`
  }

  async #start(port: number): Promise<number> {
    await this.#initialise()
    await this.#dropForeignLock()
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...this.#settings,
    ]
    const log = join(this.#placement.dataDir, 'postgres.log')
    try {
      await this.#pgCtl([
        'start',
        '--wait',
        `--timeout=${startTimeoutMs / 1_000}`,
        `--log=${log}`,
        `--options=${settings.map((setting) => `-c ${setting}`).join(' ')}`,
      ])
    } catch (cause) {
      const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
      throw new UserError(`The embedded PostgreSQL did not start. The end of ${log}:\n${lines}`, { cause })
    }
    await this.#createDatabase(port)
    return port
  }

  async #initialise(): Promise<void> {
    const initialised = await readFile(join(this.#pgdata, 'PG_VERSION'), 'utf8').catch(() => null)
    if (initialised !== null) return
    // Left by an initialisation that was interrupted: it has no data yet.
    await rm(this.#pgdata, { recursive: true, force: true })
    const passwordFile = join(this.#placement.dataDir, 'password')
    await this.#password()
    await this.#runAs(this.#placement.binaries.initdb, [
      `--pgdata=${this.#pgdata}`,
      '--username=ratecard',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
    ])
  }

  async #createDatabase(port: number): Promise<void> {
    const url = new URL(await this.connectionString(port))
    url.pathname = '/postgres'
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      const { rowCount } = await client.query("select from pg_database where datname = 'ratecard'")
      if (rowCount === 0) await client.query('create database ratecard')
    } finally {
      await client.end()
    }
  }

  /**
   * Port of the running database from its own pid file, or null. A file left behind (kill -9, power cut) names
   * a dead process or one that is no database; a database that still starts or recovers is waited for.
   */
  async #runningPort(): Promise<number | null> {
    for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await setTimeout(100)) {
      const text = await readFile(join(this.#pgdata, 'postmaster.pid'), 'utf8').catch(() => '')
      const [pid, , , port, , , , status = ''] = text.split('\n')
      if (!pid || !isAlive(Number(pid))) return null
      if (status.startsWith('ready')) return (await answers(Number(port))) ? Number(port) : null
      if (status.startsWith('stopping')) continue
      if (!status.startsWith('starting')) return null
    }
    return null
  }

  /**
   * PostgreSQL does not start while its pid file names a living process of its user, even when that is another
   * program by now: after a power cut, pids are given out again. Such a file is taken away.
   */
  async #dropForeignLock(): Promise<void> {
    const file = join(this.#pgdata, 'postmaster.pid')
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''))
    if (!(pid > 0) || !isAlive(pid)) return
    // Where the process cannot be looked at, PostgreSQL's own refusal stands.
    const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }))
    if (stdout !== '' && !stdout.includes(this.#pgdata)) await rm(file, { force: true })
  }

  async #liveUsers(): Promise<number[]> {
    const pids = (await readdir(this.#users)).map(Number)
    const live = pids.filter(isAlive)
    await Promise.all(
      pids
        .filter((pid) => !live.includes(pid))
        .map((pid) => rm(join(this.#users, String(pid)), { force: true })),
    )
    return live
  }

  async #password(): Promise<string> {
    const password = await keepSecret(this.#placement.dataDir, 'password', () =>
      randomBytes(24).toString('hex'),
    )
    const { account } = this.#placement
    if (account) await chown(join(this.#placement.dataDir, 'password'), account.uid, account.gid)
    return password
  }

  /** Runs `work` while no other process starts or stops the database. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const release = await lock(this.#placement.dataDir, {
      lockfilePath: join(this.#placement.dataDir, 'lock'),
      // A holder that died is recognised after this time; a live one renews its claim.
      stale: 5_000,
      retries: { forever: true, minTimeout: 50, maxTimeout: 250, maxRetryTime: 90_000 },
    })
    try {
      return await work()
    } finally {
      await release()
    }
  }

  async #pgCtl(args: readonly string[]): Promise<void> {
    await this.#runAs(this.#placement.binaries.pgCtl, [...args, `--pgdata=${this.#pgdata}`])
  }

  async #runAs(file: string, args: readonly string[]): Promise<void> {
    const { account, dataDir } = this.#placement
    await run(file, args, { cwd: dataDir, ...(account && { uid: account.uid, gid: account.gid }) })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-SSLREQUEST
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const answerTimeoutMs = 2_000

/** Whether a PostgreSQL listens there: it answers the question for TLS with one letter, yes or no. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: answerTimeoutMs })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => socket.write(sslRequest))
    socket.once('data', (data) => end(/^[SN]$/.test(data.toString('latin1'))))
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => end(false))
  })
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port)
        else reject(new Error('No free port.'))
      })
    })
  })
}
